import type { FuturesState } from '../futures-state.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';

// A take-profit or stop-loss that is attached to an order watches no price before that order has
// traded: there is nothing to protect yet, and firing would only lose it.

/** Whether a waiting order watches its price now. */
export function isArmed(state: FuturesState, order: LiveOrder): boolean {
  if (!isWaiting(order)) return false;
  if (order.parentOrderNumber === null) return true;
  const parent = state.orders.get(order.parentOrderNumber);
  return parent === undefined || parent.filledQuantity > 0;
}

/** Lets the orders that are attached to one that trades for the first time watch their prices. */
export function armChildren(state: FuturesState, parent: LiveOrder): void {
  const { triggers } = state.getMarket(parent.marketId);
  for (const order of state.orders.listIn(parent.accountId, parent.marketId)) {
    if (order.parentOrderNumber === parent.orderNumber && isWaiting(order)) triggers.add(order);
  }
}
