import type { AccountId } from '../../../domain/identifiers.ts';
import type { CloseOutStage } from '../../futures-events.ts';

/** How one position of a close-out is closed; prices are in ticks and fixed once. */
export interface CloseOutLeg {
  /** Closing at this price uses up the part of the account's equity that backs the position. */
  readonly bankruptcy: number;
  /** The price at which the other side is closed; null before the first attempt. */
  deleverageAt: number | null;
}

export const closeOutStages: readonly CloseOutStage[] = ['orders', 'book', 'final'];

/**
 * An account being closed. Once its final stage has begun, changes of the fund or the marks affect
 * neither its prices nor its reservation.
 */
export interface CloseOut {
  readonly number: number;
  readonly accountId: AccountId;
  /** When the account was found at or below its maintenance margin. */
  readonly begunAt: number;
  stage: CloseOutStage;
  /** Whether orders of the account have ended without this having been reported yet. */
  hasEndedOrders: boolean;
  /** When the book stage sells its next slice. */
  sliceAt: number;
  /**
   * The notional that the final stage has closed so far, at the marks of that time; its fee is
   * charged on it.
   */
  closedNotional: bigint;
  /** What it was short of beyond its reservation when its final stage began; others pay it. */
  deficit: bigint;
  /** What the final stage closes; empty before it. */
  readonly legs: Map<number, CloseOutLeg>;
  /** Markets that count it among the close-outs that keep them settling. */
  settlesIn: readonly number[];
}
