import type { Rejection } from '../../../domain/rejection.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { checkNotional } from '../orders/check-order.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { isReached, type WatchedPrice } from './is-reached.ts';
import { watchedPrice } from './watched-price.ts';

/** Checks an order that is to wait for a price; its margin is judged when it triggers. */
export function checkTrigger(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
): Rejection | null {
  const watched = watchedPrice(market, order.triggerPriceKind);
  if (watched !== null && (isReached(order, watched) || isPastActivation(order, watched))) {
    return { reason: 'would_trigger_immediately' };
  }
  const price = order.price ?? order.stopPrice ?? order.activationPrice;
  if (order.isClosePosition || price === null) return null;
  return checkNotional(state, market, order, price);
}

/** A trailing stop must activate at a price that the market has yet to reach in its favor. */
function isPastActivation(order: LiveOrder, { ticksBelow, ticksAbove }: WatchedPrice): boolean {
  const { activationPrice } = order;
  if (activationPrice === null) return false;
  return order.side === 'sell' ? ticksBelow >= activationPrice : ticksAbove <= activationPrice;
}
