import type { FuturesState } from '../futures-state.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';

// A take-profit or stop-loss attached to an order does not watch a price until that order has
// traded: there is no position to protect yet, and firing would only use it up.

/** Whether a waiting order watches its price now. */
export function isArmed(state: FuturesState, order: LiveOrder): boolean {
  if (!isWaiting(order)) return false;
  if (order.parentOrderNumber === null) return true;
  const parent = state.orders.get(order.parentOrderNumber);
  return parent === undefined || parent.filledQuantity > 0;
}

/** Arms the orders attached to one that trades for the first time. */
export function armChildren(state: FuturesState, parent: LiveOrder): void {
  const { triggers } = state.getMarket(parent.marketId);
  for (const order of state.orders.listIn(parent.accountId, parent.marketId)) {
    if (order.parentOrderNumber === parent.orderNumber && isWaiting(order)) triggers.add(order);
  }
}
