import { privateKeyToAccount } from 'viem/accounts';
import {
  approvalTypedData,
  refusalText,
} from '../../../src/application/admin/withdrawal-reviews.ts';
import type { Amount } from '../../../src/domain/amount.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import type { ReviewLimits } from '../../../src/programs/claims/withdrawal-review.ts';
import { expectOk, nextAddress, outcomeOf } from '../spot-fixtures.ts';
import { deposited, WalletRig } from './wallet-rig.ts';

// A wallet whose withdrawals are reviewed by people: the rules, the people, and what they sign.

const coin = 10n ** 8n;
export const dayMs = 86_400_000;
export const chainId = 31_337;

const people = [1, 2, 3].map((seed) =>
  privateKeyToAccount(`0x${String(seed).padStart(64, '0')}` as const),
);
type Person = (typeof people)[number];
export const [alice, bob, stranger] = people as [Person, Person, Person];
export const addressOf = ({ address }: Person) => address.toLowerCase() as Address;

/** I 100, W 1,000 and R 5 of DF: an account may take 20 in a day and 10 in an hour. */
const dfLimits: ReviewLimits = {
  approveFrom: (5n * coin) as Amount,
  instantMax: (100n * coin) as Amount,
  windowMax: (1_000n * coin) as Amount,
};

export interface ListedReview {
  readonly id: string;
  readonly status: string;
  readonly reasons: readonly string[];
  readonly account: Address;
  readonly token_address: Address;
  readonly raw_amount: string;
  readonly contract_address: Address;
}

export function startReviewRig(approvers: readonly Person[] = [alice, bob]): Promise<WalletRig> {
  return WalletRig.start(
    { DF: '1', USDT: '1' },
    {
      limits: new Map([
        ['DF', dfLimits],
        ['USDT', dfLimits],
      ]),
      approvers: approvers.map(addressOf),
    },
  );
}

/** An account with 50 DF that came by the vault two days ago. */
export async function settledUser(rig: WalletRig, address = nextAddress()): Promise<Address> {
  await rig.mine([deposited(address, 0, { rawAmount: 50n * 10n ** 18n })]);
  await rig.newSettler().run();
  rig.laterMs = 2 * dayMs;
  return address;
}

export async function reviewsOf(rig: WalletRig, account: Address): Promise<ListedReview[]> {
  const call = rig.service.call({ path: '/api/v1/admin/withdrawals/reviews', isAdmin: true });
  const { items } = (await expectOk(call)) as { items: ListedReview[] };
  return items.filter((each) => each.account === account);
}

/** A signature of ApproveRelease, good for four days. */
export async function approvalOf(
  rig: WalletRig,
  person: Person,
  review: ListedReview,
  changes: { readonly rawAmount?: bigint; readonly expires?: number } = {},
) {
  const now = Math.floor((Date.now() + rig.laterMs) / 1_000);
  const expires = changes.expires ?? now + 4 * 86_400;
  const { id, account } = review;
  const data = approvalTypedData(
    { chainId, vaultDomainName: 'SpotVault' },
    {
      id,
      account,
      tokenAddress: review.token_address,
      contractAddress: review.contract_address,
      rawAmount: changes.rawAmount ?? BigInt(review.raw_amount),
    },
    expires,
  );
  return { expires, signature: await person.signTypedData(data) };
}

export async function refusalOf(person: Person, id: string, reason: string) {
  return person.signMessage({ message: refusalText(chainId, id, reason) });
}

export function decide(rig: WalletRig, id: string, verdict: 'approve' | 'refuse', body: object) {
  const path = `/api/v1/admin/withdrawals/${id}/${verdict}`;
  return outcomeOf(rig.service.call({ method: 'POST', path, isAdmin: true, body }));
}

/** Both people approve what is in review. */
export async function approve(rig: WalletRig, review: ListedReview) {
  const approvals = await Promise.all(
    [alice, bob].map((person) => approvalOf(rig, person, review)),
  );
  return decide(rig, review.id, 'approve', { approvals });
}
