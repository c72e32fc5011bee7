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
import { postingCodes } from '../ledger/postings.ts';
import type { ArrivingOrder } from '../orders/open-orders.ts';
import {
  checkLimitOrder,
  checkMarketOrder,
  checkOpenOrders,
  checkTerms,
  fundsOf,
  isByMoney,
} from './check-spot-order.ts';
import { reachOf } from './order-reach.ts';
import { type MarketPlan, planBuying, planByMoney } from './plan-market-order.ts';
import type { SpotMarketState } from './spot-market-state.ts';

// The steps of an order: checks, which change nothing; then the book, which refuses or trades; then
// the remainder is locked and kept, or dropped.

/** Accepts an order, or returns why not; a rejected one leaves no trace. */
export function placeSpotOrder(state: EngineState, command: PlaceSpotOrder): Rejection | null {
  if (!state.accounts.has(command.accountId)) return { reason: 'account_not_found' };
  const market = state.findSpotMarket(command.marketId);
  if (market === undefined) return { reason: 'market_not_found' };
  const refusal = checkTerms(market, command);
  if (refusal !== null) return refusal;
  const order = readArrival(state, market, command);
  return command.orderType === 'limit'
    ? placeLimitOrder(state, market, order)
    : placeMarketOrder(state, market, order, command);
}

function placeLimitOrder(
  state: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
): Rejection | null {
  const refusal = checkLimitOrder(state, market, order) ?? checkOpenOrders(state, market, order);
  if (refusal !== null) return refusal;
  const { orders } = state;
  const slot = openRecord(state, market, order);
  const left = market.book.add(order, slot, reachOf[state.rules]);
  if (left < 0) {
    orders.release(slot);
    return refusalOf(left);
  }
  state.orderNumber += 1;
  const mayRest = left > 0 && (order.policy === 'rest' || order.policy === 'rest_only');
  // One that still crosses has met as many orders as it may.
  const isResting = mayRest && !market.book.isCrossing(order.side, order.price);
  if (isResting) {
    lockRest(state, market, order, left);
    orders.keep(slot);
    if (order.clientOrderId !== null) state.clientOrderIds.add(slot, order.clientHash);
  }
  if (state.outcome.isObserved) {
    const status = statusOf(left, order.quantity, isResting);
    state.outcome.push({ type: 'spotOrderUpdated', order: orders.describe(slot, status) });
  }
  if (!isResting) orders.release(slot);
  return null;
}

function placeMarketOrder(
  state: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
  command: PlaceSpotOrder,
): Rejection | null {
  const isBuy = order.side === buySide;
  const money = isByMoney(command) ? command.quoteQuantity : null;
  const plan = planOf(state, market, order, money);
  const refusal = checkMarketOrder(state, market, order, money, plan);
  if (refusal !== null) return refusal;
  if (plan !== null) order.quantity = plan.lots;
  const { orders } = state;
  const slot = openRecord(state, market, order);
  const left = order.quantity === 0 ? 0 : market.book.add(order, slot, reachOf[state.rules]);
  if (left < 0) {
    orders.release(slot);
    return refusalOf(left);
  }
  state.orderNumber += 1;
  const isDone =
    isBuy && money !== null
      ? cannotBuyMore(market, money - orders.filledQuoteOf(slot))
      : left === 0 && plan?.isWhole !== false;
  const isFilled = order.quantity > 0 && isDone;
  const described: SpotOrder = {
    ...orders.describe(slot, isFilled ? 'filled' : 'expired'),
    type: 'market',
    timeInForce: 'ioc',
    price: null,
    quantity: money === null ? command.quantity : null,
    quoteQuantity: money === null ? null : command.quoteQuantity,
  };
  state.outcome.push({ type: 'spotOrderUpdated', order: described });
  orders.release(slot);
  return null;
}

/** What a market order trades, if that is more to find out than its quantity. */
function planOf(
  state: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
  money: bigint | null,
): MarketPlan | null {
  const { seen } = reachOf[state.rules];
  const funds = fundsOf(state, order);
  if (money !== null) return planByMoney(market, order.side, money, funds, seen);
  return order.side === buySide ? planBuying(market, order.quantity, funds, seen) : null;
}

/**
 * Reads the command into the state's single arriving order; a size given as money is yet to be
 * planned.
 */
function readArrival(
  state: EngineState,
  market: SpotMarketState,
  command: PlaceSpotOrder,
): ArrivingOrder {
  const { arrival, ledger, clientOrderIds } = state;
  const { baseTokenId, quoteTokenId, marketId } = market.terms;
  const { accountId, clientOrderId, timeInForce } = command;
  const isBuy = command.side === 'buy';
  const isLimit = command.orderType === 'limit';
  arrival.orderNumber = state.orderNumber + 1;
  arrival.account = accountId;
  arrival.marketId = marketId;
  arrival.side = isBuy ? buySide : sellSide;
  arrival.price = isLimit ? (command.price ?? 0) : isBuy ? priceMax : priceMin;
  arrival.quantity = command.quantity ?? 0;
  arrival.policy = isLimit ? policyOf(timeInForce) : 'drop';
  arrival.timeInForce = spotTimesInForce.indexOf(timeInForce);
  arrival.createdAt = state.timestamp;
  arrival.baseCell = ledger.find(accountId, baseTokenId);
  arrival.quoteCell = ledger.find(accountId, quoteTokenId);
  arrival.clientOrderId = clientOrderId;
  arrival.clientHash = clientOrderId === null ? 0 : clientOrderIds.hash(accountId, clientOrderId);
  return arrival;
}

/** Opens a record for the order, on which its trades are settled while the book matches it. */
function openRecord(state: EngineState, market: SpotMarketState, order: ArrivingOrder): number {
  const { ledger } = state;
  const { baseTokenId, quoteTokenId } = market.terms;
  if (order.baseCell < 0) order.baseCell = ledger.open(order.account, baseTokenId);
  if (order.quoteCell < 0) order.quoteCell = ledger.open(order.account, quoteTokenId);
  const slot = state.orders.open(order);
  state.settlement.listenTo(market, slot);
  return slot;
}

function lockRest(
  { ledger }: EngineState,
  market: SpotMarketState,
  order: ArrivingOrder,
  left: number,
): void {
  const isBuy = order.side === buySide;
  const available = isBuy ? order.quoteCell : order.baseCell;
  const locked = isBuy ? market.quoteAmount(order.price, left) : market.baseAmount(left);
  ledger.post(available, available + 1, locked, postingCodes.orderLock);
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
  const lotCost = market.quoteAmount(bestAsk, 1);
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
  assert(answer === refusedAsSelfTrade, 'the book returned an unknown outcome');
  return { reason: 'self_trade' };
}
