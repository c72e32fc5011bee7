import { toAmount } from '../../domain/amount.ts';
import { assert, assertNever } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { SpotOrder, SpotOrderStatus, SpotTimeInForce } from '../../domain/spot-order.ts';
import { spotTimesInForce } from '../../domain/spot-order.ts';
import {
  type BookPolicy,
  buySide,
  noAsk,
  priceMax,
  priceMin,
  refusedAsSelfTrade,
  refusedAsTaker,
  sellSide,
} from '../book/order-book.ts';
import type { PlaceSpotOrder } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import type { ArrivingOrder } from '../orders/open-orders.ts';
import { checkSpotOrder } from './check-spot-order.ts';
import { planMarketBuy } from './plan-market-buy.ts';
import type { SpotMarketState } from './spot-market-state.ts';

// The way of an order: checks, which change nothing; then the book, which refuses or trades; then
// the rest of the order is locked and kept, or dropped.

/** Takes an order in, or says why not; a refused one leaves no trace. */
export function placeSpotOrder(state: EngineState, command: PlaceSpotOrder): Rejection | null {
  if (!state.accounts.has(command.accountId)) return { reason: 'account_not_found' };
  const market = state.findSpotMarket(command.marketId);
  if (market === undefined) return { reason: 'market_not_found' };
  const refusal = checkSpotOrder(state, market, command);
  if (refusal !== null) return refusal;
  return command.orderType === 'limit'
    ? placeLimitOrder(state, market, command)
    : placeMarketOrder(state, market, command);
}

function placeLimitOrder(
  state: EngineState,
  market: SpotMarketState,
  command: PlaceSpotOrder,
): Rejection | null {
  const { orders, clientOrderIds } = state;
  const price = command.price ?? 0;
  const quantity = command.quantity ?? 0;
  const arrival = arrivalOf(state, market, command, { price, quantity });
  const slot = orders.open(arrival);
  state.settlement.listenTo(market, slot);
  const left = market.book.add(arrival);
  if (left < 0) {
    orders.release(slot);
    return refusalOf(left);
  }
  state.orderNumber += 1;
  const isResting = left > 0 && (arrival.policy === 'rest' || arrival.policy === 'rest_only');
  if (isResting) {
    lockRest(state, market, slot, left);
    orders.keep(slot);
    if (command.clientOrderId !== null) clientOrderIds.add(slot, command.clientOrderId);
  }
  const order = orders.describe(slot, statusOf(left, quantity, isResting));
  state.outcome.push({ type: 'spotOrderUpdated', order });
  if (!isResting) orders.release(slot);
  return null;
}

function placeMarketOrder(
  state: EngineState,
  market: SpotMarketState,
  command: PlaceSpotOrder,
): Rejection | null {
  const { orders } = state;
  const isBuy = command.side === 'buy';
  const budget = command.quoteQuantity ?? 0n;
  const quantity = isBuy ? planMarketBuy(market, budget) : (command.quantity ?? 0);
  const price = isBuy ? priceMax : priceMin;
  const arrival = arrivalOf(state, market, command, { price, quantity });
  const slot = orders.open(arrival);
  state.settlement.listenTo(market, slot);
  const left = quantity === 0 ? 0 : market.book.add(arrival);
  if (left < 0) {
    orders.release(slot);
    return refusalOf(left);
  }
  state.orderNumber += 1;
  const spent = orders.filledQuoteOf(slot);
  const isFilled = isBuy
    ? quantity > 0 && cannotBuyMore(market, toAmount(budget - spent))
    : left === 0;
  const order: SpotOrder = {
    ...orders.describe(slot, isFilled ? 'filled' : 'expired'),
    type: 'market',
    timeInForce: 'ioc',
    price: null,
    quantity: isBuy ? null : command.quantity,
    quoteQuantity: isBuy ? command.quoteQuantity : null,
  };
  state.outcome.push({ type: 'spotOrderUpdated', order });
  orders.release(slot);
  return null;
}

/** Fills the state's one arriving order from the command. */
function arrivalOf(
  state: EngineState,
  market: SpotMarketState,
  command: PlaceSpotOrder,
  terms: { readonly price: number; readonly quantity: number },
): ArrivingOrder {
  const { arrival, balances } = state;
  const { baseTokenId, quoteTokenId, marketId } = market.terms;
  const { accountId } = command;
  arrival.orderNumber = state.orderNumber + 1;
  arrival.account = accountId;
  arrival.marketId = marketId;
  arrival.side = command.side === 'buy' ? buySide : sellSide;
  arrival.price = terms.price;
  arrival.quantity = terms.quantity;
  arrival.policy = command.orderType === 'market' ? 'drop' : policyOf(command.timeInForce);
  arrival.timeInForce = spotTimesInForce.indexOf(command.timeInForce);
  arrival.createdAt = state.timestamp;
  arrival.baseCell = balances.open(accountId, baseTokenId);
  arrival.quoteCell = balances.open(accountId, quoteTokenId);
  arrival.clientOrderId = command.clientOrderId;
  return arrival;
}

function lockRest(state: EngineState, market: SpotMarketState, slot: number, left: number): void {
  const { orders, balances } = state;
  if (orders.sideOf(slot) === buySide) {
    balances.lock(orders.quoteCellOf(slot), market.quoteAmount(orders.priceOf(slot), left));
  } else {
    balances.lock(orders.baseCellOf(slot), market.baseAmount(left));
  }
}

function statusOf(left: number, quantity: number, isResting: boolean): SpotOrderStatus {
  if (left === 0) return 'filled';
  if (!isResting) return 'expired';
  return left === quantity ? 'new' : 'partially_filled';
}

/** Whether a market buy is done: its money is spent, or buys no further lot at the best price. */
function cannotBuyMore(market: SpotMarketState, moneyLeft: bigint): boolean {
  if (moneyLeft === 0n) return true;
  const { bestAsk } = market.book;
  if (bestAsk === noAsk) return false;
  const lotCost = market.quoteAmountInRange(bestAsk, 1);
  return lotCost < 0n || moneyLeft < lotCost;
}

function policyOf(timeInForce: SpotTimeInForce): BookPolicy {
  switch (timeInForce) {
    case 'gtc':
      return 'rest';
    case 'ioc':
      return 'drop';
    case 'fok':
      return 'all_or_nothing';
    case 'post_only':
      return 'rest_only';
    default:
      return assertNever(timeInForce);
  }
}

function refusalOf(answer: number): Rejection {
  if (answer === refusedAsTaker) return { reason: 'post_only_would_cross' };
  assert(answer === refusedAsSelfTrade, 'the book gave an answer that it does not have');
  return { reason: 'self_trade' };
}
