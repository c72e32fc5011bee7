import type { Rejection } from '../../../domain/rejection.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { checkNotional } from '../orders/check-order.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { isReached, watchedPrice } from './watched-price.ts';

/** What is asked of an order that is to wait for a price; margin is judged when it triggers. */
export function checkTrigger(market: FuturesMarketState, order: LiveOrder): Rejection | null {
  if (isReached(market, order) || isPastActivation(market, order)) {
    return { reason: 'would_trigger_immediately' };
  }
  const price = order.price ?? order.stopPrice ?? order.activationPrice;
  if (order.isClosePosition || price === null) return null;
  return checkNotional(market, order, price);
}

/** A trailing stop begins at a price that the market has yet to reach in its favor. */
function isPastActivation(market: FuturesMarketState, order: LiveOrder): boolean {
  const price = watchedPrice(market, order);
  if (order.activationPrice === null || price === null) return false;
  const activation = market.priceOf(order.activationPrice);
  return order.side === 'sell' ? price >= activation : price <= activation;
}
