import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/** An index price that an administrator pushes is worth nothing after so many milliseconds. */
export const indexPriceAgeMax = 60_000;

/** Whether market orders and liquidations have to wait for a fresh index price. */
export function isPriceStale(market: FuturesMarketState, now: number): boolean {
  if (market.terms.indexPriceSource === 'book') return false;
  return market.indexPrice === null || now - market.indexPriceAt > indexPriceAgeMax;
}
