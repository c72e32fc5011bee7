import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import type { LiveOrder } from '../orders/live-order.ts';

/** A price for one whole base asset, and the whole ticks next to it. */
export interface WatchedPrice {
  readonly price: bigint;
  readonly ticksBelow: number;
  readonly ticksAbove: number;
}

/** The price that triggers of the kind watch; null before the first one. */
export function watchedPrice(
  market: FuturesMarketState,
  kind: TriggerPriceKind,
): WatchedPrice | null {
  const { markPrice, markTicksBelow, markTicksAbove, lastPrice } = market;
  if (kind === 'contract' && lastPrice !== 0) {
    return { price: market.priceOf(lastPrice), ticksBelow: lastPrice, ticksAbove: lastPrice };
  }
  if (markPrice === null) return null;
  return { price: markPrice, ticksBelow: markTicksBelow, ticksAbove: markTicksAbove };
}

/** Whether a stop or take-profit fires at the price. */
export function isReached(order: LiveOrder, { ticksBelow, ticksAbove }: WatchedPrice): boolean {
  if (order.stopPrice === null) return false;
  return firesRising(order) ? ticksBelow >= order.stopPrice : ticksAbove <= order.stopPrice;
}

/**
 * Stops fire in the direction of their side, take-profits against it: a buy stop fires on a rise.
 */
export function firesRising({ type, side }: Pick<LiveOrder, 'type' | 'side'>): boolean {
  const isStop = type === 'stop' || type === 'stop_market';
  return isStop === (side === 'buy');
}
