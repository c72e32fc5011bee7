import type { Rejection } from '../../../domain/rejection.ts';
import { canceledMax } from '../../commands.ts';
import type { CancelAllFuturesOrders, CancelFuturesOrder } from '../../futures-commands.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { childrenOf } from './attached-orders.ts';
import { canceledByUser, endOrder, type OrderEnd } from './end-order.ts';
import { isWaiting, type LiveOrder } from './live-order.ts';

/** The number of orders that end with the order, itself included, as a budget counts them. */
const endingWith: ByRules<(state: FuturesState, order: LiveOrder) => number> = {
  11: () => 1,
  12: withChildren,
  13: withChildren,
};

function withChildren(state: FuturesState, { hasChildren, orderNumber }: LiveOrder): number {
  return hasChildren ? 1 + childrenOf(state, orderNumber).length : 1;
}

/**
 * Cancels one live order, with the orders attached to it.
 * @returns `order_not_found`, or `order_not_owned` for another account's order.
 */
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
    const ended = before - state.orders.size;
    if (ended + endingWith[state.rules](state, order) > canceledMax) {
      state.engine.outcome.push({ type: 'workDue' });
      break;
    }
    endOrder(state, order, canceledByUser);
  }
  return null;
}

/**
 * Ends the chosen live orders of the account by number, and stops before more than `most` have
 * ended.
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
    // An order may already have ended with its parent.
    if (!state.orders.has(order.orderNumber) || !isChosen(order)) continue;
    if (before - state.orders.size + endingWith[state.rules](state, order) > most) break;
    endOrder(state, order, how);
  }
  return before - state.orders.size;
}
