import { type OrderState } from './order-state.ts';

import type { StoredOrder } from './stored-order.ts';

/** A live order: it waits for its trigger, rests in the book, or is being matched. */
export type LiveOrder = StoredOrder;

/** The lots that the order can still trade. */
export function leftOf(order: Pick<OrderState, 'quantity' | 'filledQuantity'>): number {
  return order.quantity - order.filledQuantity;
}

/** Whether the order still waits for its trigger. */
export function isWaiting(order: LiveOrder): boolean {
  return order.stopPrice !== null || order.callback !== null ? order.triggeredAt === null : false;
}
