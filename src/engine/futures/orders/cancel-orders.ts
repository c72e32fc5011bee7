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
 * Cancels the account's live orders by number, with the orders attached to them. Once `canceledMax`
 * orders have ended, the command stops and reports `workDue`.
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
    // An order may already have ended with its parent.
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
 * Ends the chosen live orders of the account by number, and stops once `most` have ended.
 *
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
    // An order may already have ended with its parent.
    if (state.orders.has(order.orderNumber) && isChosen(order)) endOrder(state, order, how);
  }
  return before - state.orders.size;
}
