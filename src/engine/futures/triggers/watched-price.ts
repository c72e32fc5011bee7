import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { firesRising } from './triggers.ts';

/** The price that the order watches, for one whole base asset; null before the first. */
export function watchedPrice(
  market: FuturesMarketState,
  { triggerPriceKind }: Pick<LiveOrder, 'triggerPriceKind'>,
): bigint | null {
  if (triggerPriceKind === 'mark' || market.lastPrice === 0) return market.markPrice;
  return market.priceOf(market.lastPrice);
}

/** Whether a stop or take-profit fires at the price that it watches now. */
export function isReached(market: FuturesMarketState, order: LiveOrder): boolean {
  const price = watchedPrice(market, order);
  if (price === null || order.stopPrice === null) return false;
  const stop = market.priceOf(order.stopPrice);
  return firesRising(order) ? price >= stop : price <= stop;
}
