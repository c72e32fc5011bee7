import type { AccountId } from '../../../domain/identifiers.ts';
import type { CloseOutStage } from '../../futures-events.ts';

/** How one position of a close-out is closed; prices in ticks, fixed once. */
export interface CloseOutLeg {
  /** Closing here uses up the part of the account's equity that stands behind the position. */
  readonly bankruptcy: number;
  /** What the other side is closed at; null before the first attempt. */
  deleverageAt: number | null;
}

export const closeOutStages: readonly CloseOutStage[] = ['orders', 'book', 'final'];

/**
 * An account that is being closed. What happens to the fund or the marks after its final stage has
 * begun changes neither its prices nor its reservation.
 */
export interface CloseOut {
  readonly number: number;
  readonly accountId: AccountId;
  /** When its account was found at or under its maintenance margin. */
  readonly begunAt: number;
  stage: CloseOutStage;
  /** Orders of the account have been ended, and that is not told yet. */
  hasEndedOrders: boolean;
  /** When the book stage sells its next slice. */
  sliceAt: number;
  /** What the final stage has closed so far, at the marks of then: what its fee is due on. */
  closedNotional: bigint;
  /** What it missed as its final stage began beyond its reservation, for others to pay. */
  deficit: bigint;
  /** What the final stage closes; empty before it. */
  readonly legs: Map<number, CloseOutLeg>;
  /** Markets that count it among those that keep them settling. */
  settlesIn: readonly number[];
}
