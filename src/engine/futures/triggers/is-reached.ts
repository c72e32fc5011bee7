import { type LiveOrder } from '../orders/live-order.ts';

/** A price for one whole base asset, and the whole ticks next to it. */
export interface WatchedPrice {
  readonly price: bigint;
  readonly ticksBelow: number;
  readonly ticksAbove: number;
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
