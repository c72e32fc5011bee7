import type { Rejection } from '../../../domain/rejection.ts';
import type { AmendFuturesOrder } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { checkMarket, checkOwner, isQuantity } from './check-order.ts';
import { takeFromBook } from './end-order.ts';
import { admitOrder, isRejection, runOrder } from './enter-order.ts';
import type { LiveOrder } from './live-order.ts';
import { matchPrice } from './match-price.ts';

/**
 * Gives a resting limit order another price and quantity under the same number, last in the queue
 * at its price. If it is refused, the order stays as it was, in its place.
 */
export function amendOrder(state: FuturesState, command: AmendFuturesOrder): Rejection | null {
  const order = state.orders.get(command.orderNumber);
  if (order === undefined || order.accountId !== command.accountId) {
    return { reason: 'order_not_found' };
  }
  const market = state.getMarket(order.marketId);
  const { price, priceMatch, quantity } = command;
  const changed = state.orders.copy(order);
  changed.price = price;
  changed.priceMatch = priceMatch;
  changed.quantity = quantity;
  const refusal =
    checkMarket(state, market) ??
    checkOwner(state, order) ??
    checkAmendment(state, order, command) ??
    matchPrice(market, changed, order) ??
    checkDifference(order, changed);
  if (refusal !== null) return refusal;
  const account = state.openAccount(order.accountId);
  const admitted = admitOrder(state, account, market, changed, null, order);
  if (isRejection(admitted)) return admitted;
  takeFromBook(state, order);
  order.price = changed.price;
  order.priceMatch = changed.priceMatch;
  order.quantity = changed.quantity;
  order.isReduceOnly = changed.isReduceOnly;
  state.reportOrder(order, 'amended');
  runOrder(state, { order, limit: admitted.limit });
  return null;
}

function checkAmendment(
  state: FuturesState,
  order: LiveOrder,
  { side, quantity }: AmendFuturesOrder,
): Rejection | null {
  if (!order.isResting || order.price === null) return { reason: 'order_not_amendable' };
  if (side !== null && side !== order.side) return { reason: 'side_mismatch' };
  if (!isQuantity(state, quantity)) return { reason: 'quantity_off_lot' };
  return quantity <= order.filledQuantity ? { reason: 'order_not_amendable' } : null;
}

function checkDifference(order: LiveOrder, { price, quantity }: LiveOrder): Rejection | null {
  const isSame = price === order.price && quantity === order.quantity;
  return isSame || price === null ? { reason: 'order_not_amendable' } : null;
}
