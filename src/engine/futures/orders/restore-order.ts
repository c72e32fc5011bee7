import type { FuturesState } from '../futures-state.ts';
import { isArmed } from './attached-orders.ts';
import type { LiveOrder } from './live-order.ts';
import type { SavedOrder } from './order-codec.ts';
import { addExposure } from './order-exposure.ts';

/** Restores a saved order; a parent must come before the orders attached to it. */
export function restoreOrder(state: FuturesState, { order: saved, extreme }: SavedOrder): void {
  const { orderNumber, accountId, marketId, ...terms } = saved;
  const order: LiveOrder = Object.assign(state.openOrder(orderNumber, accountId, marketId), terms);
  state.addOrder(order);
  const parent =
    order.parentOrderNumber === null ? null : state.orders.get(order.parentOrderNumber);
  if (parent) parent.hasChildren = true;
  if (isArmed(state, order)) {
    state.getMarket(order.marketId).triggers.restore(order, extreme);
  }
  if (order.isResting) addExposure(state, order);
}
