import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { StoredOrder } from './stored-order.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An order's terms and progress, and how it lives. */
export interface OrderState extends Mutable<FuturesOrder> {
  /** Stands in the book. */
  isResting: boolean;
  /** Trigger orders were attached to it. */
  hasChildren: boolean;
}

/** An order while it lives: it waits for its trigger, rests in the book, or is being matched. */
export type LiveOrder = StoredOrder;

export function leftOf(order: Pick<OrderState, 'quantity' | 'filledQuantity'>): number {
  return order.quantity - order.filledQuantity;
}

/** Whether the order still waits for its trigger. */
export function isWaiting(order: LiveOrder): boolean {
  return order.stopPrice !== null || order.callback !== null ? order.triggeredAt === null : false;
}
