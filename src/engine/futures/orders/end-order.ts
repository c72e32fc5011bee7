import type { FuturesOrderStatus } from '../../../domain/futures-order.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../../futures-events.ts';
import type { FuturesState } from '../futures-state.ts';
import { isWaiting, type LiveOrder, leftOf } from './live-order.ts';
import { removeExposure } from './order-exposure.ts';

/** The ways in which an order can end other than by being filled. */
export interface OrderEnd {
  readonly status: FuturesOrderStatus;
  readonly cause: FuturesOrderCause;
  readonly end: FuturesOrderEnd | null;
}

export const canceledByUser: OrderEnd = { status: 'canceled', cause: 'canceled', end: null };

export function canceledBy(end: FuturesOrderEnd): OrderEnd {
  return { status: 'canceled', cause: 'canceled', end };
}

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
  if (how.cause === 'canceled' || order.filledQuantity === 0) {
    endChildren(state, order, canceledBy('parent_ended'));
  } else if (!isProtecting(state, order)) {
    endChildren(state, order, expiredBy('position_closed'));
  }
}

/** Removes a resting order from its book; it stays live. */
export function takeFromBook(state: FuturesState, order: LiveOrder): void {
  if (!order.isResting) return;
  order.isResting = false;
  removeExposure(state, order, leftOf(order));
  state.getMarket(order.marketId).book.cancel(order.slot);
}

/** Whether the account has a position on the side that the order opened or increased. */
function isProtecting(state: FuturesState, { accountId, marketId, side }: LiveOrder): boolean {
  const quantity = state.openAccount(accountId).quantityIn(marketId);
  return side === 'buy' ? quantity > 0 : quantity < 0;
}

function endChildren(state: FuturesState, parent: LiveOrder, how: OrderEnd): void {
  for (const order of state.orders.listIn(parent.accountId, parent.marketId)) {
    if (order.parentOrderNumber !== parent.orderNumber || !isWaiting(order)) continue;
    endOrder(state, order, how);
  }
}
