import { assertNever } from '../../domain/assert.ts';

// A spot withdrawal as contract.md section 8 has it: signed once the amount is set aside; completed
// when the confirmed chain shows its release; expired when the chain proves that this can no longer
// come, and only then is the amount given back. The vault pays each account's nonces strictly in
// turn, so two signatures for one nonce would compete: a nonce is a slot that one withdrawal holds.
//
// What goes beyond the vault's limits takes its nonce too, but waits in the vault's queue: `queued`
// until anybody has it paid after its delay, or `returned` once the chain says that it never will.
//
// One that two people look at first is in `review` with its amount set aside, then `approved` until
// its owner has it signed, or `refused`. A signature of it that ran out leaves it `approved`, bound
// to its nonce: what two people approved is paid once.

/**
 * `reserved` holds its slot while it is being signed; `abandoned` is one that came to nothing. One
 * of the perp wallet is `opening` while its amount is set aside, then `pending` until its owner
 * confirms it or it is `canceled`; these hold no slot.
 */
export type WithdrawalStatus =
  | 'opening'
  | 'pending'
  | 'review'
  | 'approved'
  | 'refused'
  | 'reserved'
  | 'signed'
  | 'queued'
  | 'completed'
  | 'returned'
  | 'expired'
  | 'canceled'
  | 'abandoned';

/** Those whose nonce is spent, or still can be. */
const slotHolders: readonly WithdrawalStatus[] = [
  'approved',
  'reserved',
  'signed',
  'queued',
  'completed',
  'returned',
];

export interface Withdrawal {
  readonly token: string;
  /** In the token's smallest unit on chain. */
  readonly rawAmount: bigint;
  readonly nonce: number;
  /** Unix seconds of the chain's clock. */
  readonly deadline: number;
  readonly status: WithdrawalStatus;
}

export type SlotRejection =
  | { readonly reason: 'withdrawal_pending' }
  | { readonly reason: 'withdrawal_slot_conflict' };

/**
 * Whether the vault's present nonce of an account is free for a withdrawal. A signed one at or
 * after it can still be released; any other that has not expired holds its slot.
 */
export function checkWithdrawalSlot(
  withdrawals: readonly Withdrawal[],
  chainNonce: number,
): SlotRejection | null {
  const live = withdrawals.filter(({ status }) => slotHolders.includes(status));
  if (live.some(({ status, nonce }) => status === 'signed' && nonce >= chainNonce)) {
    return { reason: 'withdrawal_pending' };
  }
  if (live.some(({ nonce }) => nonce === chainNonce)) return { reason: 'withdrawal_slot_conflict' };
  return null;
}

/** A Released or ReleaseQueued event of the account. */
export interface Release {
  readonly token: string;
  readonly rawAmount: bigint;
  readonly nonce: number;
}

export type ReleaseContradiction = {
  readonly kind: 'contradiction';
  readonly contradiction: 'release_not_signed' | 'release_of_expired' | 'release_changed';
};

export type ReleaseDecision =
  | { readonly kind: 'completed' }
  | { readonly kind: 'queued' }
  /** Delivered again. */
  | { readonly kind: 'known' }
  | ReleaseContradiction;

/**
 * What a release on the confirmed chain means for the withdrawal that holds its nonce; the vault
 * pays it at once or puts it into its queue.
 */
export function observeRelease(
  withdrawal: Withdrawal | null,
  release: Release,
  outcome: 'completed' | 'queued',
): ReleaseDecision {
  if (withdrawal === null || withdrawal.nonce !== release.nonce) {
    return { kind: 'contradiction', contradiction: 'release_not_signed' };
  }
  if (withdrawal.token !== release.token || withdrawal.rawAmount !== release.rawAmount) {
    return { kind: 'contradiction', contradiction: 'release_changed' };
  }
  switch (withdrawal.status) {
    case 'signed':
      return { kind: outcome };
    case 'completed':
    case 'queued':
      // A nonce is spent once, so it is one or the other.
      if (withdrawal.status === outcome) return { kind: 'known' };
      return { kind: 'contradiction', contradiction: 'release_changed' };
    case 'opening':
    case 'pending':
    case 'review':
    case 'refused':
    case 'reserved':
    case 'canceled':
    case 'abandoned':
      return { kind: 'contradiction', contradiction: 'release_not_signed' };
    case 'approved':
      // Of a signature that the chain has proven to have run out.
      return { kind: 'contradiction', contradiction: 'release_of_expired' };
    case 'returned':
    case 'expired':
      // The amount was given back; a person has to decide.
      return { kind: 'contradiction', contradiction: 'release_of_expired' };
    default:
      return assertNever(withdrawal.status);
  }
}

/**
 * Whether a signed withdrawal can never be released: a block that is agreed on is later than the
 * deadline, and the vault's own nonce there says that no block before it has paid.
 */
export function isWithdrawalExpired(
  withdrawal: Withdrawal,
  /** Unix seconds of the last confirmed block whose events are counted. */
  chainSeconds: number,
  /** The account's next nonce in the vault, proven at that block. */
  provenNonce: number,
): boolean {
  return (
    withdrawal.status === 'signed' &&
    chainSeconds > withdrawal.deadline &&
    provenNonce <= withdrawal.nonce
  );
}
