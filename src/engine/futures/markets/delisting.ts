import type { TimestampMs } from '../../../domain/identifiers.ts';

/** A delisting that is planned for a time. */
export interface PlannedDelisting {
  readonly at: TimestampMs;
  /** The settlement price to use if the market has too few index prices by then. */
  readonly price: bigint | null;
}

/**
 * What is left to do for a delisted market: its orders end; all accounts are judged at the
 * settlement price, and those with negative equity are closed; all other positions are closed at
 * that price.
 */
export const delistingPhases = ['orders', 'judging', 'closing'] as const;

/** How far the settlement of a delisted market has come. */
export interface Delisting {
  phase: (typeof delistingPhases)[number];
  /** The number of the scan at whose end all accounts have been judged at the settlement price. */
  readonly scan: number;
  /** The account to continue with, for orders or longs. */
  nextAccountId: number;
  /** The account to continue with, for shorts. */
  nextShortId: number;
}
