import { creditSpotBalance } from '../application/admin/credit-spot-balance.ts';
import { EngineBusyError } from '../application/ports.ts';
import type { Amount } from '../domain/amount.ts';
import type { Address } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import type { DemoPorts } from './start-demo.ts';

/**
 * One demo account in one market, which trades through the same use cases as every user. Refusals
 * are normal: a quote may cross, a balance may run out.
 */
export interface DemoTrader {
  /**
   * Keeps at least half of that many units of the quote token, and the same value of what it sells.
   */
  topUp(quoteUnits: number, price: Ticks): Promise<void>;
  /** Places a quote at a price, unless it would trade at once. */
  quote(side: Side, price: Ticks, quantity: Lots): Promise<void>;
  /** Trades at once, at about this price. */
  take(side: Side, price: Ticks, quantity: Lots): Promise<void>;
  cancelAll(): Promise<void>;
}

/** Credits test money. */
export async function credit(
  ports: DemoPorts,
  address: Address,
  token: string,
  amount: Amount,
): Promise<void> {
  const gift = { address, token, amount, reason: 'demo', reference: null };
  await skipWhereBusy(() => creditSpotBalance({ ...ports, areTestCreditsEnabled: true }, gift));
}

/** Other traders come first; the demo retries with its next step. */
export async function skipWhereBusy(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof EngineBusyError)) throw error;
  }
}
