import { amountMax } from '../../../domain/amount.ts';
import { futuresPriceMax } from '../../../domain/futures-market.ts';
import { maxNotionalAt } from '../../../domain/leverage-brackets.ts';
import { raisedMargin } from '../../../domain/margin.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Side } from '../../../domain/spot-order.ts';
import { buySide, noAsk, noBid, priceMin, sellSide } from '../../book/order-book.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import { equityOf, growthMargin, leverageIn, renewedStake } from '../margin/account-margin.ts';
import { availableNow } from '../margin/new-risk.ts';
import { fullNotionalOf, raisesMargin } from '../margin/open-interest-margin.ts';
import { asksColumn, bidsColumn, ordersColumn, signedColumn, stakeMax } from '../margin/stakes.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { isClosingSoon, isFresh } from '../pricing/price-state.ts';
import { isSettling } from '../pricing/settling.ts';
import { reducibleLots } from './follow-position.ts';
import { isWaiting, type LiveOrder, leftOf } from './live-order.ts';
import { exposureOf } from './order-exposure.ts';

// The checks of an order before it can trade; none of them changes anything.

const addedSides = new BigInt64Array(2);

const openOrdersMax = 200;
/** A market order trades at most this far from the mark price: a twentieth. */
const priceBandDivisor = 20n;

/** Whether the market has a price, or its orders can set the first one. */
function isPriced({ markPrice, terms }: FuturesMarketState): boolean {
  return markPrice !== null || terms.indexPriceSource === 'book';
}

/** Checks whether the market accepts orders now. */
export function checkMarket(state: FuturesState, market: FuturesMarketState): Rejection | null {
  switch (market.terms.status) {
    case 'listed':
      if (!isPriced(market)) return { reason: 'index_price_missing' };
      return isSettling(market) ? { reason: 'market_settling' } : null;
    case 'halted':
      return { reason: 'market_halted' };
    case 'delisted':
      return { reason: 'market_delisted' };
  }
}

/** The worst price in ticks at which a market order trades; null if there is no price at all. */
export function marketLimit(
  market: FuturesMarketState,
  side: 'buy' | 'sell',
  worstPrice: number | null,
): number | null {
  const { book } = market;
  const isBuy = side === 'buy';
  const best = isBuy ? book.bestAsk : book.bestBid;
  const hasBest = isBuy ? best !== noAsk : best !== noBid;
  const reference = market.markPrice ?? (hasBest ? market.priceOf(best) : null);
  if (reference === null) return null;
  const band = reference / priceBandDivisor;
  const limit = isBuy ? market.ticksBelow(reference + band) : market.ticksAbove(reference - band);
  if (worstPrice === null) return Math.max(limit, priceMin);
  return Math.max(isBuy ? Math.min(limit, worstPrice) : Math.max(limit, worstPrice), priceMin);
}

/**
 * At a stale or unconfirmed price, and shortly before a delisting, only reducing orders are
 * accepted. They become reduce-only: together with all resting orders of its side, the order must
 * not exceed the opposite position.
 */
export function checkPriceState(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  order: LiveOrder,
): Rejection | null {
  const isSoon = isClosingSoon(market, state.now);
  const mayOpen = market.markPrice === null || isFresh(market, state.now);
  if ((mayOpen && !isSoon) || order.isReduceOnly) return null;
  const room = reducibleLots(account, order.marketId, order.side) - restingLots(state, order);
  if (leftOf(order) > room) return { reason: isSoon ? 'market_delisting' : 'index_price_stale' };
  order.isReduceOnly = true;
  return null;
}

/** The lots of the account's other resting orders of the side that are not reduce-only. */
function restingLots(state: FuturesState, order: LiveOrder): number {
  const { orderNumber, side } = order;
  let lots = 0;
  for (const other of state.orders.listIn(order.accountId, order.marketId)) {
    const isCounted = other.isResting && !other.isReduceOnly && other.side === side;
    if (isCounted && other.orderNumber !== orderNumber) lots += leftOf(other);
  }
  return lots;
}

/** Whether the lots of an order are checked, whatever those who send it have checked. */
const areLotsChecked: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Whether an order can have that many lots. */
export function isQuantity({ rules }: FuturesState, lots: number): boolean {
  return !areLotsChecked[rules] || (Number.isSafeInteger(lots) && lots > 0);
}

/** An order at no price would rest where no side of the book finds it. */
const lowestPrice: ByRules<number> = { 11: Number.NEGATIVE_INFINITY, 12: priceMin, 13: priceMin };

/** Checks the price and notional of an order; reduce-only orders have no minimum. */
export function checkNotional(
  { rules }: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  price: number,
): Rejection | null {
  if (price < lowestPrice[rules] || price > futuresPriceMax) return { reason: 'price_off_tick' };
  const { minNotional, maxNotional } = market.terms;
  const notional = market.quote(price, leftOf(order));
  if (notional > amountMax || notional > maxNotional) return { reason: 'notional_too_large' };
  if (order.isReduceOnly || notional >= minNotional) return null;
  return { reason: 'notional_too_small' };
}

/**
 * An account in a close-out cannot trade, except for reducing orders on the book while only slices
 * are being sold.
 */
export function checkOwner(state: FuturesState, order: LiveOrder): Rejection | null {
  if (state.closeOuts.size === 0) return null;
  const closeOut = state.closeOuts.get(order.accountId);
  if (closeOut === undefined) return null;
  const mayReduce = closeOut.stage === 'book' && order.isReduceOnly && !isWaiting(order);
  return mayReduce ? null : { reason: 'account_in_liquidation' };
}

/**
 * Refuses a reduce-only order with `nothing_to_reduce` if its account has nothing on the other
 * side.
 */
export function checkReduceOnly(account: FuturesAccount, order: LiveOrder): Rejection | null {
  if (!order.isReduceOnly) return null;
  const room = reducibleLots(account, order.marketId, order.side);
  return room === 0 ? { reason: 'nothing_to_reduce' } : null;
}

/** Refuses an order with `too_many_orders` if its account has the maximum open in the market. */
export function checkOrderCount(
  { orders }: FuturesState,
  accountId: number,
  marketId: number,
): Rejection | null {
  return orders.countIn(accountId, marketId) >= openOrdersMax
    ? { reason: 'too_many_orders' }
    : null;
}

/**
 * Whether the account can carry the order: the margin it adds, and its immediate loss if it trades
 * at a price worse than the mark price (Binance's open loss). For an order that is being amended,
 * `resting` is the order that it replaces.
 */
export function checkMargin(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  order: LiveOrder,
  limit: number,
  resting: LiveOrder | null,
): Rejection | null {
  const isBuy = order.side === 'buy';
  const replaced = resting === null ? 0n : exposureOf(market, resting);
  const quote = order.isReduceOnly ? 0n : market.quote(limit, leftOf(order));
  const added = quote - replaced;
  const available = availableNow(state, account);
  const stake = renewedStake(account, market);
  const lots = order.isReduceOnly ? 0 : leftOf(order);
  const raised = raisedBy(state, account, market, { side: order.side, lots, price: limit });
  const needed = addedMargin(account, market, stake, isBuy, added) + raised;
  // What taking the resting order away would add, which is zero or negative.
  const freed = resting === null ? 0n : addedMargin(account, market, stake, isBuy, 0n - replaced);
  // The loss is found by walking the book, which an account without the margin does not cause.
  if (needed > freed && available < needed) return { reason: 'insufficient_margin' };
  const isNoWorse = market.markPrice !== null && isNoWorseThanMark(market, order, limit);
  const loss = isNoWorse ? 0n : openLoss(state, market, order, limit);
  if (needed <= freed) {
    const isUncovered = loss > 0n && loss > equityOf(state, account);
    return isUncovered ? { reason: 'insufficient_margin' } : null;
  }
  if (available < needed + loss) return { reason: 'insufficient_margin' };
  const allowed = maxNotionalAt(market.terms.brackets, leverageIn(account, market));
  const largest = allowed < stakeMax ? allowed : stakeMax;
  const isTooLarge = reachedNotional(account, stake, isBuy, added) > largest;
  return isTooLarge ? { reason: 'position_too_large' } : null;
}

/** The margin that an order's lots need beyond 1 / leverage, as far as they open a position. */
export function raisedBy(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  { side, lots, price }: { readonly side: Side; readonly lots: number; readonly price: number },
): bigint {
  const isFirst = market.markPrice === null;
  if (!isFirst && !raisesMargin(state, market, market.openInterest + lots)) return 0n;
  const added = lots - Math.min(lots, reducibleLots(account, market.terms.marketId, side));
  const reached = market.openInterest + added;
  const full = fullNotionalOf(state, market, { added, reached, price });
  return raisedMargin(full, leverageIn(account, market));
}

/** The increase of the margin of the account's orders; requires its margins to be up to date. */
function addedMargin(
  account: FuturesAccount,
  market: FuturesMarketState,
  stake: number,
  isBuy: boolean,
  added: bigint,
): bigint {
  const { stakes } = account;
  const signed = stakes.figure(stake, signedColumn);
  // A bigint that a condition selects is allocated; one that is written to a column is not.
  addedSides[0] = isBuy ? added : 0n;
  addedSides[1] = isBuy ? 0n : added;
  const growth = stakes.growth(stake, signed, addedSides[0], addedSides[1]);
  const after = BigInt.asIntN(64, growthMargin(growth, leverageIn(account, market)));
  return BigInt.asIntN(64, after - BigInt.asIntN(64, stakes.figure(stake, ordersColumn)));
}

/**
 * The notional that the position could reach if all orders of the side were filled; requires
 * up-to-date margins.
 */
function reachedNotional(
  { stakes }: FuturesAccount,
  stake: number,
  isBuy: boolean,
  added: bigint,
): bigint {
  const signed = BigInt.asIntN(64, stakes.figure(stake, signedColumn));
  const resting = stakes.figure(stake, isBuy ? bidsColumn : asksColumn);
  const all = BigInt.asIntN(64, BigInt.asIntN(64, added) + BigInt.asIntN(64, resting));
  return isBuy ? BigInt.asIntN(64, all + signed) : BigInt.asIntN(64, all - signed);
}

/**
 * What the order's trades are worse than: the mark price or, before the first, the price of its
 * first trade, which will be the mark. Null if it trades with nobody.
 */
function referencePrice(
  { rules }: FuturesState,
  market: FuturesMarketState,
  { side }: LiveOrder,
): bigint | null {
  if (market.markPrice !== null || !isFirstTradeJudged[rules]) return market.markPrice;
  const best = side === 'buy' ? market.book.bestAsk : market.book.bestBid;
  return best === noAsk || best === noBid ? null : market.priceOf(best);
}

const isFirstTradeJudged: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** The amount by which the order's trades are worse than that; never negative. */
function openLoss(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  limit: number,
): bigint {
  const reference = referencePrice(state, market, order);
  if (reference === null) return 0n;
  const isBuy = order.side === 'buy';
  const lots = leftOf(order);
  let left = lots;
  let money = 0n;
  market.book.visitLevels(isBuy ? sellSide : buySide, (price, quantity) => {
    if (isBuy ? price > limit : price < limit) return false;
    const taken = Math.min(left, quantity);
    money += market.quote(price, taken);
    left -= taken;
    return left > 0;
  });
  const isDropped = order.type === 'market';
  if (left > 0 && !isDropped) money += market.quote(limit, left);
  const counted = isDropped ? lots - left : lots;
  const loss = isBuy
    ? money - market.valueAt(reference, counted)
    : market.costAt(reference, counted) - money;
  return loss > 0n ? loss : 0n;
}

function isNoWorseThanMark(market: FuturesMarketState, order: LiveOrder, limit: number): boolean {
  return order.side === 'buy' ? limit <= market.markTicksBelow : limit >= market.markTicksAbove;
}
