import { assertNever } from '../../domain/assert.ts';

// A spot withdrawal (contract.md section 8): signed once the amount is set aside; completed when
// the confirmed chain shows its release; expired when the chain proves that this can no longer
// happen, and only then is the amount returned. The vault pays each account's nonces strictly in
// order, so two signatures for one nonce would compete: a nonce is a slot that one withdrawal
// holds.
//
// A release beyond the vault's limits also takes its nonce, but waits in the vault's queue:
// `queued` until someone has it paid after its delay, or `returned` once the chain shows that it
// never will be.
//
// A withdrawal that two people review is in `review` with its amount set aside, then `approved`
// until its owner has it signed, or `refused`. If its signature expires it remains `approved`,
// bound to its nonce: what two people approved is paid once.

/**
 * A withdrawal's state. `reserved` holds its slot while it is being signed; `abandoned` was given
 * up without a signature. A perp withdrawal is `opening` while its amount is set aside, then
 * `pending` until its owner confirms it or it is `canceled`; these hold no slot.
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

/** Withdrawals whose nonce is spent or can still be spent. */
const slotHolders: readonly WithdrawalStatus[] = [
  'approved',
  'reserved',
  'signed',
  'queued',
  'completed',
  'returned',
];

/** A withdrawal, as far as its slot and its release depend on it. */
export interface Withdrawal {
  readonly token: string;
  /** In the token's smallest unit on chain. */
  readonly rawAmount: bigint;
  readonly nonce: number;
  /** Unix seconds on the chain's clock. */
  readonly deadline: number;
  readonly status: WithdrawalStatus;
}

/**
 * Why the account's nonce is not free: a signed withdrawal can still be released (`pending`), or
 * another one that has not expired holds the nonce (`slot_conflict`).
 */
export type SlotRejection =
  | { readonly reason: 'withdrawal_pending' }
  | { readonly reason: 'withdrawal_slot_conflict' };

/**
 * Checks that an account's current vault nonce is free for a withdrawal; null if it is. A signed
 * withdrawal at or after that nonce can still be released; any other that has not expired holds its
 * slot.
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

/** A Released or ReleaseQueued event of the account; rawAmount is in the token's smallest unit. */
export interface Release {
  readonly token: string;
  readonly rawAmount: bigint;
  readonly nonce: number;
}

/** A release that contradicts the withdrawals in the database; an operator has to decide. */
type ReleaseContradiction = {
  readonly kind: 'contradiction';
  readonly contradiction: 'release_not_signed' | 'release_of_expired' | 'release_changed';
};

/** What a release means for its withdrawal. */
export type ReleaseDecision =
  | { readonly kind: 'completed' }
  | { readonly kind: 'queued' }
  /** Delivered again. */
  | { readonly kind: 'known' }
  | ReleaseContradiction;

/**
 * Decides what a release on the confirmed chain means for the withdrawal that holds its nonce. The
 * vault either pays it at once (`completed`) or puts it into its queue (`queued`).
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
      // A nonce is spent once, so it is either paid or queued.
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
      // A release with a signature that the chain has proven to be expired.
      return { kind: 'contradiction', contradiction: 'release_of_expired' };
    case 'returned':
    case 'expired':
      // The amount was already returned; an operator has to decide.
      return { kind: 'contradiction', contradiction: 'release_of_expired' };
    default:
      return assertNever(withdrawal.status);
  }
}

/**
 * Whether a signed withdrawal can never be released: a confirmed block is later than the deadline,
 * and the vault's nonce at that block shows that no block up to it paid the withdrawal.
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
