import { assert } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { buySide, sellSide } from '../book/order-book.ts';
import { type CancelAllSpotOrders, type CancelSpotOrder, canceledMax } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import { postingCodes } from '../ledger/postings.ts';
import type { SpotMarketState } from './spot-market-state.ts';

/** Cancels one order of the account. @returns order_not_found or order_not_owned if it cannot. */
export function cancelSpotOrder(state: EngineState, command: CancelSpotOrder): Rejection | null {
  const slot = state.orders.find(command.orderNumber);
  if (slot < 0) return { reason: 'order_not_found' };
  if (state.orders.accountOf(slot) !== command.accountId) return { reason: 'order_not_owned' };
  cancelOrder(state, slot);
  return null;
}

/**
 * Cancels the account's orders, market by market, oldest first; having none is not a rejection. One
 * command cancels at most `canceledMax` and reports `workDue` if more are left.
 */
export function cancelAllSpotOrders(
  state: EngineState,
  command: CancelAllSpotOrders,
): Rejection | null {
  const { accountId, marketId } = command;
  const { orders, outcome } = state;
  if (!state.accounts.has(accountId)) return { reason: 'account_not_found' };
  if (marketId !== null && state.findSpotMarket(marketId) === undefined) {
    return { reason: 'market_not_found' };
  }
  const [from, to] = marketId === null ? [0, orders.marketCount] : [marketId, marketId + 1];
  let left = canceledMax;
  let isDue = false;
  for (let market = from; market < to && !isDue; market += 1) {
    let slot = orders.firstOf(accountId, market);
    for (; slot >= 0 && left > 0; left -= 1) {
      const next = orders.nextOf(slot);
      cancelOrder(state, slot);
      slot = next;
    }
    isDue = slot >= 0;
  }
  if (isDue) outcome.push({ type: 'workDue' });
  outcome.mergeLevels();
  return null;
}

/**
 * Ends at most `most` orders of the market in matching order, bids first.
 *
 * @returns how many have ended; if fewer than allowed, the book is empty.
 */
export function cancelMarketOrders(
  state: EngineState,
  market: SpotMarketState,
  most: number,
): number {
  const slots: number[] = [];
  for (const side of [buySide, sellSide] as const) {
    market.book.visitOrders(side, (slot) => {
      if (slots.length >= most) return false;
      slots.push(slot);
      return true;
    });
  }
  for (const slot of slots) cancelOrder(state, slot);
  if (slots.length > 0) state.outcome.mergeLevels();
  return slots.length;
}

/** Releases what a live order has locked and removes it from its book. */
function cancelOrder(state: EngineState, slot: number): void {
  const { orders } = state;
  const market = state.getSpotMarket(orders.marketOf(slot));
  state.settlement.listenTo(market, -1);
  const left = market.book.cancel(slot);
  assert(left > 0, 'funds are locked for an order of which nothing is left');
  const isBuy = orders.sideOf(slot) === buySide;
  const available = isBuy ? orders.quoteCellOf(slot) : orders.baseCellOf(slot);
  const locked = isBuy ? market.quoteAmount(orders.priceOf(slot), left) : market.baseAmount(left);
  state.ledger.post(available + 1, available, locked, postingCodes.orderRelease);
  if (state.outcome.isObserved) {
    orders.setUpdatedAt(slot, state.timestamp);
    const order = orders.describe(slot, 'canceled');
    state.outcome.push({ type: 'spotOrderUpdated', order });
  }
  if (orders.hasClientOrderId(slot)) state.clientOrderIds.remove(slot);
  orders.drop(slot);
}
