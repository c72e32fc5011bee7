import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { byParent } from './attached-by-parent.ts';
import { byPosition } from './attached-by-position.ts';
import { type AttachedRules } from './attached-rules.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';

export const attachedRules: ByRules<AttachedRules> = {
  11: byParent,
  12: byPosition,
  13: byPosition,
};

/** Whether a waiting order watches its price now. */
export function isArmed(state: FuturesState, order: LiveOrder): boolean {
  if (!isWaiting(order)) return false;
  return order.parentOrderNumber === null || attachedRules[state.rules].isArmed(state, order);
}

/** The waiting orders attached to an order: they have the two numbers after its own. */
export function childrenOf(state: FuturesState, parentNumber: number): LiveOrder[] {
  const children: LiveOrder[] = [];
  for (const orderNumber of [parentNumber + 1, parentNumber + 2]) {
    const order = state.orders.get(orderNumber);
    if (order?.parentOrderNumber === parentNumber && isWaiting(order)) children.push(order);
  }
  return children;
}

/** Updates the orders attached to a parent after a fill of `quantity` lots. */
export function followFill(state: FuturesState, parent: LiveOrder, quantity: number): void {
  const children = childrenOf(state, parent.orderNumber);
  attachedRules[state.rules].followFill(state, parent, children, quantity);
}
