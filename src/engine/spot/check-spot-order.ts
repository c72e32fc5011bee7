import { amountMax } from '../../domain/amount.ts';
import { assertNever } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { spotOrdersMax } from '../../domain/spot-market.ts';
import { buySide, noAsk, noBid } from '../book/order-book.ts';
import type { PlaceSpotOrder } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import type { ArrivingOrder } from '../orders/open-orders.ts';
import { reachOf } from './order-reach.ts';
import type { MarketPlan } from './plan-market-order.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

// The checks of a new order, in the order in which they are reported: first its terms, then its
// cost. What the book itself decides (post_only, self-trade) comes after all of these. No check
// changes anything. Amounts are compared by < and >, which, unlike ===, work on values in
// registers.

/** Returns why the market cannot accept an order of these terms, or null. */
export function checkTerms(market: SpotMarketState, order: PlaceSpotOrder): Rejection | null {
  const { status } = market.terms;
  switch (status) {
    case 'listed':
      return order.orderType === 'limit' ? checkLimitTerms(order) : checkMarketTerms(order);
    case 'halted':
      return { reason: 'market_halted' };
    case 'delisted':
      return { reason: 'market_delisted' };
    default:
      return assertNever(status);
  }
}

function checkLimitTerms({ price, quantity }: PlaceSpotOrder): Rejection | null {
  if (price === null) return { reason: 'limit_price_missing' };
  if (quantity === null) return { reason: 'limit_quantity_missing' };
  if (!isPositive(price)) return { reason: 'price_off_tick' };
  return isPositive(quantity) ? null : { reason: 'quantity_off_lot' };
}

function checkMarketTerms({ side, quantity, quoteQuantity }: PlaceSpotOrder): Rejection | null {
  if (quantity === null && quoteQuantity === null) {
    const isBuy = side === 'buy';
    return { reason: isBuy ? 'market_buy_quote_missing' : 'market_sell_quantity_missing' };
  }
  if (isByMoney({ side, quantity, quoteQuantity })) {
    return (quoteQuantity ?? 0n) > 0n ? null : { reason: 'amount_not_positive' };
  }
  return isPositive(quantity ?? 0) ? null : { reason: 'quantity_off_lot' };
}

type MarketTerms = Pick<PlaceSpotOrder, 'side' | 'quantity' | 'quoteQuantity'>;

/**
 * Whether money determines a market order's size. If both sizes are given, a buy uses the money and
 * a sell the lots.
 */
export function isByMoney({ side, quantity, quoteQuantity }: MarketTerms): boolean {
  return side === 'buy' ? quoteQuantity !== null : quantity === null;
}

/**
 * Checks minimum, client order id, balance and range of a limit order, in this order.
 * @returns `below_min_notional`, `duplicate_client_order_id`, `insufficient_balance`, or
 * `amount_out_of_range`.
 */
export function checkLimitOrder(
  state: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
): Rejection | null {
  const { price, quantity, side } = order;
  const notional = market.quoteAmount(price, quantity);
  if (notional > beyondRange && notional < market.terms.minNotional) {
    return { reason: 'below_min_notional' };
  }
  if (isClientOrderIdTaken(state, order)) return { reason: 'duplicate_client_order_id' };
  const isBuy = side === buySide;
  const isFunded = isBuy
    ? isAvailable(state, order.quoteCell, notional)
    : isAvailable(state, order.baseCell, market.baseAmount(quantity));
  if (!isFunded) return { reason: 'insufficient_balance' };
  if (market.book.totalOf(side) + quantity > Number.MAX_SAFE_INTEGER) {
    return { reason: 'amount_out_of_range' };
  }
  // A sell receives at most its notional as a maker and, as a taker, no more than exists.
  if (isBuy) return null;
  const issued = state.ledger.issuedOf(market.terms.quoteTokenId);
  const headroom = BigInt.asIntN(64, amountMax - issued);
  const isInRange = notional > beyondRange && notional <= headroom;
  return isInRange ? null : { reason: 'amount_out_of_range' };
}

/**
 * Checks that the account has room for one more open order in the market if this one would rest.
 */
export function checkOpenOrders(
  { orders, rules }: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
): Rejection | null {
  if (orders.countOf(order.account, order.marketId) < spotOrdersMax) return null;
  return market.book.wouldRest(order, reachOf[rules]) ? { reason: 'too_many_orders' } : null;
}

/**
 * Checks minimum, client order id and balance of a market order. `money` is its size if that was
 * given as money; otherwise the minimum is judged at the best price, and without a price there is
 * no minimum. A buy and an order for money have a plan.
 */
export function checkMarketOrder(
  state: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
  money: bigint | null,
  plan: MarketPlan | null,
): Rejection | null {
  const notional = money ?? notionalAtBest(market, order);
  const isBelow = notional > beyondRange && notional < market.terms.minNotional;
  if (isBelow) return { reason: 'below_min_notional' };
  if (isClientOrderIdTaken(state, order)) return { reason: 'duplicate_client_order_id' };
  const isFunded =
    order.side === buySide
      ? isAvailable(state, order.quoteCell, plan?.cost ?? beyondRange)
      : isAvailable(state, order.baseCell, market.baseAmount(plan?.lots ?? order.quantity));
  return isFunded ? null : { reason: 'insufficient_balance' };
}

function notionalAtBest(market: SpotMarketState, { side, quantity }: ArrivingOrder): bigint {
  const { bestAsk, bestBid } = market.book;
  const best = side === buySide ? bestAsk : bestBid;
  const isNone = best === (side === buySide ? noAsk : noBid);
  return isNone ? beyondRange : market.quoteAmount(best, quantity);
}

function isClientOrderIdTaken({ clientOrderIds }: EngineState, order: ArrivingOrder): boolean {
  const { clientOrderId, clientHash, account } = order;
  return clientOrderId !== null && clientOrderIds.has(clientHash, account, clientOrderId);
}

/** What the order's account can pay with: the quote token for a buy, the base token for a sell. */
export function fundsOf({ ledger }: EngineState, order: ArrivingOrder): bigint {
  const cell = order.side === buySide ? order.quoteCell : order.baseCell;
  return cell < 0 ? 0n : ledger.balance(cell);
}

/** Whether the cell that the order pays from (-1: none) has the money. */
function isAvailable(state: EngineState, cell: number, need: bigint): boolean {
  if (cell < 0) return need > beyondRange && need < 1n;
  return need > beyondRange && need <= state.ledger.balance(cell);
}

function isPositive(count: number): boolean {
  return count > 0 && Number.isSafeInteger(count);
}
