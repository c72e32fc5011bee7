import type { Rejection } from '../../../domain/rejection.ts';
import { canceledMax } from '../../commands.ts';
import type { CancelAllFuturesOrders, CancelFuturesOrder } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { canceledByUser, endOrder, type OrderEnd } from './end-order.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';

export function cancelOrder(state: FuturesState, command: CancelFuturesOrder): Rejection | null {
  const order = state.orders.get(command.orderNumber);
  if (order === undefined) return { reason: 'order_not_found' };
  if (order.accountId !== command.accountId) return { reason: 'order_not_owned' };
  endOrder(state, order, canceledByUser);
  return null;
}

/**
 * Cancels the account's live orders in the order of their numbers, what is attached to them too.
 * One command begins no further one where it has ended so many, and says that more are due.
 */
export function cancelAllOrders(
  state: FuturesState,
  { accountId, marketId, kind }: CancelAllFuturesOrders,
): Rejection | null {
  if (marketId !== null && state.markets[marketId] === undefined) {
    return { reason: 'market_not_found' };
  }
  const before = state.orders.size;
  for (const order of state.orders.listOf(accountId)) {
    const isConcerned = marketId === null || order.marketId === marketId;
    // An order may have ended with its parent.
    if (!isConcerned || !state.orders.has(order.orderNumber)) continue;
    if (kind !== 'all' && !isWaiting(order)) continue;
    if (before - state.orders.size >= canceledMax) {
      state.engine.outcome.push({ type: 'workDue' });
      break;
    }
    endOrder(state, order, canceledByUser);
  }
  return null;
}

/**
 * Ends the account's live orders that are chosen, in the order of their numbers, and begins no
 * further one where so many have ended.
 * @returns how many have ended.
 */
export function endOrders(
  state: FuturesState,
  accountId: number,
  how: OrderEnd,
  {
    isChosen,
    most = Number.POSITIVE_INFINITY,
  }: { readonly isChosen: (order: LiveOrder) => boolean; readonly most?: number },
): number {
  const before = state.orders.size;
  for (const order of state.orders.listOf(accountId)) {
    if (before - state.orders.size >= most) break;
    // An order may have ended with its parent.
    if (state.orders.has(order.orderNumber) && isChosen(order)) endOrder(state, order, how);
  }
  return before - state.orders.size;
}
