import { amountMax } from '../../domain/amount.ts';
import { assertNever } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { buySide, noBid } from '../book/order-book.ts';
import type { PlaceSpotOrder } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

// The checks of a new order, in the order in which a caller is told of them. What the book itself
// decides (post_only, self-trade) comes after all of these.

/** Why the order cannot be taken, or null; changes nothing. */
export function checkSpotOrder(
  state: EngineState,
  market: SpotMarketState,
  order: PlaceSpotOrder,
): Rejection | null {
  return (
    checkStatus(market) ??
    checkTerms(order) ??
    checkMinNotional(market, order) ??
    checkClientOrderId(state, order) ??
    checkFunds(state, market, order)
  );
}

function checkStatus(market: SpotMarketState): Rejection | null {
  const { status } = market.terms;
  switch (status) {
    case 'listed':
      return null;
    case 'halted':
      return { reason: 'market_halted' };
    case 'delisted':
      return { reason: 'market_delisted' };
    default:
      return assertNever(status);
  }
}

function checkTerms(order: PlaceSpotOrder): Rejection | null {
  const { orderType, price, quantity, quoteQuantity } = order;
  if (orderType === 'limit') {
    if (price === null) return { reason: 'limit_price_missing' };
    if (quantity === null) return { reason: 'limit_quantity_missing' };
    if (!isPositive(price)) return { reason: 'price_off_tick' };
    return isPositive(quantity) ? null : { reason: 'quantity_off_lot' };
  }
  if (order.side === 'buy') {
    if (quoteQuantity === null) return { reason: 'market_buy_quote_missing' };
    return quoteQuantity > 0n ? null : { reason: 'amount_not_positive' };
  }
  if (quantity === null) return { reason: 'market_sell_quantity_missing' };
  return isPositive(quantity) ? null : { reason: 'quantity_off_lot' };
}

/** A market sell is judged at the best bid; with no bid there is nothing to judge. */
function checkMinNotional(market: SpotMarketState, order: PlaceSpotOrder): Rejection | null {
  const { minNotional } = market.terms;
  if (order.orderType === 'market' && order.side === 'buy') {
    const isBelow = (order.quoteQuantity ?? 0n) < minNotional;
    return isBelow ? { reason: 'below_min_notional' } : null;
  }
  const price = order.orderType === 'limit' ? (order.price ?? 0) : market.book.bestBid;
  if (price === noBid) return null;
  const notional = market.quoteAmountInRange(price, order.quantity ?? 0);
  const isBelow = notional !== beyondRange && notional < minNotional;
  return isBelow ? { reason: 'below_min_notional' } : null;
}

function checkClientOrderId(state: EngineState, order: PlaceSpotOrder): Rejection | null {
  const { accountId, clientOrderId } = order;
  if (clientOrderId === null || state.clientOrderIds.find(accountId, clientOrderId) < 0) {
    return null;
  }
  return { reason: 'duplicate_client_order_id' };
}

/** What must be locked is available, and no sum that the order can lead to passes its range. */
function checkFunds(
  state: EngineState,
  market: SpotMarketState,
  order: PlaceSpotOrder,
): Rejection | null {
  const { terms, book } = market;
  const { accountId, price, quantity } = order;
  const isBuy = order.side === 'buy';
  const cell = state.balances.find(accountId, isBuy ? terms.quoteTokenId : terms.baseTokenId);
  const available = cell < 0 ? 0n : state.balances.available(cell);
  if (order.orderType === 'market') {
    const need = isBuy ? (order.quoteQuantity ?? 0n) : market.baseAmountInRange(quantity ?? 0);
    const isShort = need === beyondRange || need > available;
    return isShort ? { reason: 'insufficient_balance' } : null;
  }
  const notional = market.quoteAmountInRange(price ?? 0, quantity ?? 0);
  const need = isBuy ? notional : market.baseAmountInRange(quantity ?? 0);
  if (need === beyondRange || need > available) return { reason: 'insufficient_balance' };
  const side = isBuy ? 0 : 1;
  if (book.totalOf(side) + (quantity ?? 0) > Number.MAX_SAFE_INTEGER) {
    return { reason: 'amount_out_of_range' };
  }
  // A sell receives at most its notional as a maker, and as a taker less than all that exists.
  if (side !== buySide && !hasHeadroom(state, market, notional)) {
    return { reason: 'amount_out_of_range' };
  }
  return null;
}

function hasHeadroom(state: EngineState, market: SpotMarketState, notional: bigint): boolean {
  if (notional === beyondRange) return false;
  return notional <= amountMax - state.tokens.getIssued(market.terms.quoteTokenId);
}

function isPositive(count: number): boolean {
  return count > 0 && Number.isSafeInteger(count);
}
