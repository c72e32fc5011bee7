import type { FuturesOrderStatus } from '../../../domain/futures-order.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../../futures-events.ts';
import type { FuturesState } from '../futures-state.ts';
import { attachedRules, childrenOf } from './attached-orders.ts';
import { isWaiting, type LiveOrder, leftOf } from './live-order.ts';
import { removeExposure } from './order-exposure.ts';

/** The ways in which an order can end other than by being filled. */
export interface OrderEnd {
  readonly status: FuturesOrderStatus;
  readonly cause: FuturesOrderCause;
  readonly end: FuturesOrderEnd | null;
}

export const canceledByUser: OrderEnd = { status: 'canceled', cause: 'canceled', end: null };

/** The end of an order that was canceled for this reason. */
export function canceledBy(end: FuturesOrderEnd): OrderEnd {
  return { status: 'canceled', cause: 'canceled', end };
}

/** The end of an order that expired for this reason. */
export function expiredBy(end: FuturesOrderEnd): OrderEnd {
  return { status: 'expired', cause: 'expired', end };
}

/** A triggered order that could not enter the book. */
export function rejectedBy(end: FuturesOrderEnd): OrderEnd {
  return { status: 'expired', cause: 'rejected', end };
}

export const expiredInMatch: OrderEnd = {
  status: 'expired_in_match',
  cause: 'expired',
  end: 'self_trade',
};

/**
 * Ends a live order, whether in the book or not. Canceling also ends its attached trigger orders.
 * Otherwise they stay to protect what it has filled, as long as that position is held.
 */
export function endOrder(state: FuturesState, order: LiveOrder, how: OrderEnd): void {
  takeFromBook(state, order);
  if (isWaiting(order)) state.getMarket(order.marketId).triggers.remove(order);
  state.removeOrder(order);
  order.status = how.status;
  state.reportOrder(order, how.cause, how.end);
  if (!order.hasChildren) return;
  const isTaken = how.cause === 'canceled' || order.filledQuantity === 0;
  for (const child of childrenOf(state, order.orderNumber)) {
    decideChild(state, child, isTaken ? 'parent_ended' : null);
  }
}

/**
 * Decides what becomes of a waiting take-profit or stop-loss when its parent ends, its position is
 * over, or it or its sibling fires.
 *
 * @param cause why it ends whatever it protects; null if that decides.
 * @returns whether it still watches its price.
 */
export function decideChild(
  state: FuturesState,
  child: LiveOrder,
  cause: 'parent_ended' | 'sibling_fired' | null = null,
): boolean {
  if (cause !== null) {
    endOrder(state, child, canceledBy(cause));
    return false;
  }
  const rules = attachedRules[state.rules];
  if (rules.isProtecting(state, child)) return true;
  if (state.orders.has(child.parentOrderNumber ?? 0)) rules.waitForFill(state, child);
  else endOrder(state, child, expiredBy('position_closed'));
  return false;
}

/** Removes a resting order from its book; it stays live. */
export function takeFromBook(state: FuturesState, order: LiveOrder): void {
  if (!order.isResting) return;
  order.isResting = false;
  removeExposure(state, order, leftOf(order));
  state.getMarket(order.marketId).book.cancel(order.slot);
}
