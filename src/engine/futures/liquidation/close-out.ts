import type { AccountId } from '../../../domain/identifiers.ts';

/** How one position of a close-out is closed; prices in ticks, fixed once. */
export interface CloseOutLeg {
  /** Closing here uses up the part of the account's equity that stands behind the position. */
  readonly bankruptcy: number;
  /** What the other side is closed at; null before the first attempt. */
  deleverageAt: number | null;
}

/**
 * An account that is being closed, from the moment at which its prices and its reservation are
 * fixed. What happens to the fund or the marks meanwhile changes neither.
 */
export interface CloseOut {
  readonly number: number;
  readonly accountId: AccountId;
  /** What was closed so far, at the mark prices of then: what the fee is due on. */
  closedNotional: bigint;
  readonly legs: Map<number, CloseOutLeg>;
}
