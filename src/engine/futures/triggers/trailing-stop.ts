import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { watchedPrice } from './watched-price.ts';

// A trailing stop keeps the best price since it became active: the highest for a sell, the lowest
// for a buy. It fires when the price has come back from there by the callback rate.

const bpsPerWhole = 10_000n;

/** Takes the watched price in; whether the order fires at it. */
export function trail(market: FuturesMarketState, order: LiveOrder): boolean {
  const price = watchedPrice(market, order);
  if (price === null || order.callback === null) return false;
  const isSell = order.side === 'sell';
  if (!order.isTrailing) {
    const { activationPrice } = order;
    const activation = activationPrice === null ? price : market.priceOf(activationPrice);
    if (isSell ? price < activation : price > activation) return false;
    order.isTrailing = true;
    order.extreme = price;
    return false;
  }
  if (isSell ? price > order.extreme : price < order.extreme) order.extreme = price;
  const distance = order.extreme * BigInt(order.callback);
  const moved = (isSell ? order.extreme - price : price - order.extreme) * bpsPerWhole;
  return moved >= distance;
}
