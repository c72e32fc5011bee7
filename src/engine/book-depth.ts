import { type Lots, type Ticks } from '../domain/spot-market.ts';

/** The total quantity, in lots, that rests at a price in ticks. */
export interface BookLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** The best levels of a book as of its update `lastUpdateId`. */
export interface BookDepth {
  readonly lastUpdateId: number;
  /** Best first: highest bid, lowest ask. */
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}
