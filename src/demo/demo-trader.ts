import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';

/**
 * One demo account in one market. Refusals are normal: a quote may cross, a balance may run out.
 */
export interface DemoTrader {
  /**
   * Keeps at least half of that many units of the quote token, and the same value of what it sells.
   */
  topUp(quoteUnits: number, price: Ticks): Promise<void>;
  /** Places a quote at a price, unless it would trade immediately. */
  quote(side: Side, price: Ticks, quantity: Lots): Promise<void>;
  /** Trades immediately, at about this price. */
  take(side: Side, price: Ticks, quantity: Lots): Promise<void>;
  cancelAll(): Promise<void>;
  setUsername(name: string): Promise<void>;
}
