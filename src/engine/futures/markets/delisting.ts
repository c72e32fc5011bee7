import type { TimestampMs } from '../../../domain/identifiers.ts';

/** A delisting that is to begin at a time. */
export interface PlannedDelisting {
  readonly at: TimestampMs;
  /** Settles the positions where the market has too few index prices by then. */
  readonly price: bigint | null;
}

/**
 * What is left to do for a delisted market: its orders end; everybody is judged at the settlement
 * price, and who has less than nothing is closed; all other positions are closed at it.
 */
export const delistingPhases = ['orders', 'judging', 'closing'] as const;

export interface Delisting {
  phase: (typeof delistingPhases)[number];
  /** The look at the accounts from which on all have been judged at the settlement price. */
  readonly look: number;
  /** The account to go on with: of orders, or of longs. */
  nextAccountId: number;
  /** The account to go on with among the shorts. */
  nextShortId: number;
}
