import type { SignerPolicy } from './policy-file.ts';
import type { SignedEntry } from './signer-log.ts';

// Decides what may be signed, given what was signed before. Pure: the clock and the log are passed
// in, and approvals were checked before. Returns the reason for a refusal, or null if it may be
// signed.

export interface RewardRequest {
  readonly account: string;
  readonly deadline: number;
}

export interface ReleaseRequest {
  readonly account: string;
  readonly token: string;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly deadline: number;
  /** The withdrawal's id if two people's signatures for exactly this were found valid. */
  readonly approvalId: string | null;
}

export interface TransactionRequest {
  readonly role: 'settler' | 'guardian';
  readonly sender: string;
  readonly to: string;
  readonly selector: string;
  readonly data: string;
  readonly value: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
}

type ReleaseEntry = Extract<SignedEntry, { readonly kind: 'release' }>;

const deadlineSecondsMax = 3_700;
const daySeconds = 86_400;
const hourSeconds = 3_600;
/** Another release for the same nonce is signed only this long after the earlier one's deadline. */
const replaceAfterSeconds = 300;
const nonceDistanceMax = 16;
/** pause() of the contracts. */
const pauseCall = '0x8456cb59';

export function refuseReward(
  policy: SignerPolicy,
  entries: readonly SignedEntry[],
  { account, deadline }: RewardRequest,
  now: number,
): string | null {
  if (!isSoon(deadline, now)) return 'the deadline is too far away or has passed';
  const recent = entries.filter(
    (entry) => entry.kind === 'reward' && entry.account === account && entry.at > now - hourSeconds,
  );
  return recent.length < policy.reward.perAccountAndHour ? null : 'too many for this account';
}

export function refuseRelease(
  policy: SignerPolicy,
  entries: readonly SignedEntry[],
  request: ReleaseRequest,
  now: number,
): string | null {
  const caps = policy.vault.tokens.find(({ token }) => token === request.token);
  if (caps === undefined) return 'the token is not in the policy';
  if (!isSoon(request.deadline, now)) return 'the deadline is too far away or has passed';
  const releases = entries.filter((entry) => entry.kind === 'release');
  const conflict = findConflict(releases, request, now);
  if (conflict !== null) return conflict;
  if (request.value > BigInt(caps.one)) return 'above the cap of one release';
  const counted = highestOf(releases, request, now);
  const sum = (list: readonly PossiblePayment[]) =>
    list.reduce((total, { value }) => total + value, 0n);
  if (sum(counted) > BigInt(caps.all)) return 'above the cap of all accounts';
  const own = counted.filter(({ account }) => account === request.account);
  const needsApproval =
    request.value >= BigInt(caps.approveFrom) || sum(own) > BigInt(caps.account);
  return needsApproval && request.approvalId === null ? 'two people must approve it' : null;
}

/** Returns what was signed for this nonce, or with this approval, and rules out the request. */
function findConflict(
  releases: readonly ReleaseEntry[],
  request: ReleaseRequest,
  now: number,
): string | null {
  for (const earlier of releases) {
    const isSameNonce =
      earlier.account === request.account && BigInt(earlier.nonce) === request.nonce;
    const isSame =
      isSameNonce && earlier.token === request.token && BigInt(earlier.value) === request.value;
    if (isSameNonce && !isSame && now <= earlier.deadline + replaceAfterSeconds) {
      return 'another release with this nonce is still valid';
    }
    const isSameApproval = request.approvalId !== null && earlier.approvalId === request.approvalId;
    if (isSameApproval && (!isSame || request.deadline < earlier.deadline)) {
      return 'this approval was used for another release';
    }
  }
  return null;
}

interface PossiblePayment {
  readonly account: string;
  readonly value: bigint;
}

/**
 * What the nonces of the last 24 hours and the request can have paid. Of a nonce's signatures only
 * one is ever used, but not necessarily the last: the highest counts, so that a small release for a
 * spent nonce does not hide the one that spent it.
 */
function highestOf(
  releases: readonly ReleaseEntry[],
  request: ReleaseRequest,
  now: number,
): readonly PossiblePayment[] {
  const byNonce = new Map<string, PossiblePayment>();
  const count = (account: string, nonce: bigint, value: bigint) => {
    const key = `${account} ${nonce}`;
    const known = byNonce.get(key)?.value ?? 0n;
    byNonce.set(key, { account, value: value > known ? value : known });
  };
  count(request.account, request.nonce, request.value);
  for (const { token, at, account, nonce, value } of releases) {
    if (token === request.token && at > now - daySeconds) {
      count(account, BigInt(nonce), BigInt(value));
    }
  }
  return [...byNonce.values()];
}

export function refuseTransaction(
  policy: SignerPolicy,
  entries: readonly SignedEntry[],
  request: TransactionRequest,
): string | null {
  const { allowed, gasMax, feePerGasMax } = policy.transactions;
  if (request.value !== 0n) return 'it transfers coin';
  if (request.gas > BigInt(gasMax)) return 'above the gas cap';
  if (request.maxFeePerGas > BigInt(feePerGasMax)) return 'above the fee cap';
  const isToItself = request.to === request.sender && request.data === '0x';
  const isAllowed =
    request.role === 'guardian'
      ? request.data === pauseCall && policy.guardian?.contracts.includes(request.to) === true
      : allowed.some(
          ({ to, selectors }) => to === request.to && selectors.includes(request.selector),
        );
  if (!isToItself && !isAllowed) return 'the call is not in the policy';
  const nonces = entries
    .filter((entry) => entry.kind === 'transaction' && entry.sender === request.sender)
    .map((entry) => (entry.kind === 'transaction' ? entry.nonce : 0));
  if (nonces.length === 0) return null;
  const highest = nonces.reduce((most, nonce) => Math.max(most, nonce));
  const distance = Math.abs(request.nonce - highest);
  return distance > nonceDistanceMax ? 'the nonce is far from the highest one' : null;
}

function isSoon(deadline: number, now: number): boolean {
  return deadline > now && deadline <= now + deadlineSecondsMax;
}
