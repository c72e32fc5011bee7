import { feeOf } from '../../../domain/fee.ts';
import { selfTradeEnds } from '../../../domain/futures-order.ts';
import { makersMax, makersOfFokMax } from '../../book/makers-max.ts';
import {
  type BookSide,
  buySide,
  noAsk,
  noBid,
  priceMax,
  priceMin,
  sellSide,
} from '../../book/order-book.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { feeRate } from '../margin/fee-rates.ts';
import { type FillTerms, mayFill } from '../margin/fill-check.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { openInterestRoom } from '../pricing/open-value.ts';
import { endOrder, expiredBy, expiredInMatch } from './end-order.ts';
import { cutTo, reducibleLots } from './follow-position.ts';
import { type LiveOrder, leftOf } from './live-order.ts';
import { closableLots, lotsWithinOpenInterest, openInterestAfter } from './open-interest.ts';

/**
 * Why an order stopped trading: it is filled, nothing crosses any more, it met an order of its own
 * account, its account cannot carry the fill, the next price is beyond the trade band, open
 * interest has no room, or it has met as many resting orders as one command may.
 */
export type MatchEnd =
  | 'filled'
  | 'exhausted'
  | 'self_trade'
  | 'margin'
  | 'band'
  | 'open_interest'
  | 'makers';

/** How many more resting orders an order meets, shared by all that one command does with it. */
export interface MakerBudget {
  left: number;
}

const makersMaxOf: ByRules<(order: LiveOrder) => number> = {
  11: () => Number.POSITIVE_INFINITY,
  12: makersOf,
  13: makersOf,
};

/** Those that a fill-or-kill order meets are counted before it trades. */
function makersOf({ timeInForce }: LiveOrder): number {
  return timeInForce === 'fok' ? Number.POSITIVE_INFINITY : makersMax;
}

/** The budget of resting orders for what one command does with the order. */
export function openMakerBudget({ rules }: FuturesState, order: LiveOrder): MakerBudget {
  return { left: makersMaxOf[rules](order) };
}

/** How many resting orders a fill-or-kill order reaches. */
const makersReachedMax: ByRules<number> = {
  11: Number.POSITIVE_INFINITY,
  12: makersMax,
  13: makersOfFokMax,
};

/** Whether the maximum open interest stops an order at the first maker that it cuts short. */
const stopsAtMaximum: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Trades the order, or `lotsMax` lots of it, against the book up to a price in ticks. */
export function matchOrder(
  state: FuturesState,
  market: FuturesMarketState,
  taker: LiveOrder,
  limit: number,
  lotsMax = Number.POSITIVE_INFINITY,
  meeting = openMakerBudget(state, taker),
): MatchEnd {
  const { book } = market;
  const filledMax = taker.filledQuantity + lotsMax;
  const side = bookSideOf(taker);
  const makerSide: BookSide = side === buySide ? sellSide : buySide;
  while (leftOf(taker) > 0) {
    const room = filledMax - taker.filledQuantity;
    if (room === 0 || !isCrossing(market, side, limit)) return 'exhausted';
    const price = side === buySide ? book.bestAsk : book.bestBid;
    if (side === buySide ? price > market.bandHigh : price < market.bandLow) return 'band';
    if (meeting.left === 0) return 'makers';
    meeting.left -= 1;
    state.commandWork.countMaker();
    const maker = state.orders.at(book.firstOf(makerSide));
    if (maker.accountId === taker.accountId) {
      const ends = selfTradeEnds[taker.selfTradeMode];
      if (ends.maker) endOrder(state, maker, expiredInMatch);
      if (ends.taker) return 'self_trade';
      continue;
    }
    if (maker.isReduceOnly && !mayTradeWhole(state, maker)) continue;
    let quantity = Math.min(leftOf(taker), leftOf(maker), room);
    if (quantity > openInterestRoom(state, market)) {
      quantity = Math.min(quantity, lotsWithinOpenInterest(state, market, maker, taker));
      if (quantity === 0) return 'open_interest';
    }
    const reached = openInterestAfter(state, market, { maker, taker, quantity });
    const unfit = makerUnfit(state, market, maker, { price, quantity, reached });
    if (unfit !== null) {
      endOrder(state, maker, expiredBy(unfit));
      continue;
    }
    if (!mayTake(state, market, taker, { price, quantity, reached })) return 'margin';
    const settlement = market.settlement;
    settlement.taker = taker;
    book.tradeFirst(makerSide, quantity);
    settlement.taker = null;
  }
  return 'filled';
}

/** `reached` is the open interest after the fill. */
type Fill = Pick<FillTerms, 'price' | 'quantity' | 'reached'>;

/** Why a maker cannot trade the quantity; the maker then expires and matching continues. */
function makerUnfit(
  state: FuturesState,
  market: FuturesMarketState,
  maker: LiveOrder,
  { price, quantity, reached }: Fill,
): 'price_protection' | 'margin' | null {
  const isBeyond = maker.side === 'buy' ? price > market.bandHigh : price < market.bandLow;
  if (isBeyond) return 'price_protection';
  const fill = { price, quantity, reached, isMaker: true };
  return mayFill(state, market, maker, fill) ? null : 'margin';
}

/** A close-out takes whatever it gets, and a fill-or-kill order has been judged as a whole. */
function mayTake(
  state: FuturesState,
  market: FuturesMarketState,
  taker: LiveOrder,
  { price, quantity, reached }: Fill,
): boolean {
  if (taker.origin !== 'user' || taker.timeInForce === 'fok') return true;
  return mayFill(state, market, taker, { price, quantity, reached, isMaker: false });
}

/** Whether the account of a fill-or-kill order is judged by all that it would trade. */
const isJudgedWhole: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** Why a fill-or-kill order does not trade at all; null if it does in full. */
export function whyKilled(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  limit: number,
): 'time_in_force' | 'margin' | null {
  const wanted = leftOf(order);
  const makerSide = order.side === 'buy' ? sellSide : buySide;
  // A killed order pays no fee, so makers are visited only if their levels show enough.
  const shown = market.book.countLots(makerSide, limit, makersReachedMax[state.rules]);
  if (shown < wanted) return 'time_in_force';
  const fill = reachableFill(state, market, order, limit);
  if (fill.quantity < wanted) return 'time_in_force';
  if (!isJudgedWhole[state.rules]) return null;
  return mayFill(state, market, order, fill) ? null : 'margin';
}

/** What the order would trade immediately, as far as orders of its own account allow it. */
function reachableFill(
  state: FuturesState,
  market: FuturesMarketState,
  taker: LiveOrder,
  limit: number,
): FillTerms {
  const isBuy = taker.side === 'buy';
  const rate = feeRate(state.openAccount(taker.accountId), market, false);
  const wanted = leftOf(taker);
  let reachable = 0;
  // Negative if the mark price has put open interest above its maximum.
  let space = openInterestRoom(state, market);
  let closable = closableLots(state, taker);
  let { openInterest } = market;
  let makersLeft = makersReachedMax[state.rules];
  let [worst, quote, fee] = [0, 0n, 0n];
  /**
   * What each maker's account has traded on the way; its reduce-only orders have less room then.
   */
  const given = new Map<number, Fill>();
  market.book.visitOrders(isBuy ? sellSide : buySide, (slot, price, quantity) => {
    if (isBuy ? price > limit : price < limit) return false;
    if (isBuy ? price > market.bandHigh : price < market.bandLow) return false;
    if (makersLeft === 0) return false;
    makersLeft -= 1;
    state.commandWork.countMaker();
    const maker = state.orders.at(slot);
    const { accountId } = maker;
    if (accountId === taker.accountId) return !selfTradeEnds[taker.selfTradeMode].taker;
    const before = given.get(accountId);
    const taken = before?.quantity ?? 0;
    const most = Math.min(quantity, reducibleOf(state, maker) - taken, wanted - reachable);
    if (most <= 0) return true;
    const makerClosable = Math.max(0, closableLots(state, maker) - taken);
    const lots = Math.min(most, Math.max(0, space) + closable + makerClosable);
    if (lots === 0) return false;
    // The account's whole quantity is judged at the worst of its prices, which is its first.
    const first = before?.price ?? price;
    const isBeyond = isBuy ? price < market.bandLow : price > market.bandHigh;
    const opened = lots - Math.min(lots, closable) - Math.min(lots, makerClosable);
    // So is its margin, at the highest open interest at which it has traded.
    const reached = Math.max(openInterest + opened, before?.reached ?? 0);
    const fill = { price: first, quantity: taken + lots, reached, isMaker: true };
    if (isBeyond || !mayFill(state, market, maker, fill)) return true;
    given.set(accountId, fill);
    const money = market.quote(price, lots);
    quote += money;
    fee += feeOf(money, rate);
    // The first price of a market without one becomes its mark price.
    if (reachable === 0 || market.markPrice !== null) worst = price;
    reachable += lots;
    openInterest += opened;
    space -= opened;
    closable -= Math.min(lots, closable);
    // Nothing trades with what is left of a maker for which open interest has no room.
    if (lots < most && stopsAtMaximum[state.rules]) return false;
    return reachable < wanted;
  });
  const whole = { quote, fee };
  return { price: worst, quantity: reachable, isMaker: false, reached: openInterest, whole };
}

/** The lots that a resting order can trade if no other order of its account trades first. */
function reducibleOf(state: FuturesState, maker: LiveOrder): number {
  if (!maker.isReduceOnly) return Number.POSITIVE_INFINITY;
  return reducibleLots(state.openAccount(maker.accountId), maker.marketId, maker.side);
}

/** The side of the book on which the order would rest. */
export function bookSideOf({ side }: Pick<LiveOrder, 'side'>): BookSide {
  return side === 'buy' ? buySide : sellSide;
}

/** Whether an order of the side with this limit, in ticks, would trade immediately. */
export function isCrossing({ book }: FuturesMarketState, side: BookSide, limit: number): boolean {
  return side === buySide
    ? book.bestAsk !== noAsk && limit >= book.bestAsk
    : book.bestBid !== noBid && limit <= book.bestBid;
}

/** The limit of an order that accepts any price. */
export function anyPrice({ side }: Pick<LiveOrder, 'side'>): number {
  return side === 'buy' ? priceMax : priceMin;
}

// Earlier trades of the command can have reduced the maker's position since its order was cut to
// it.
function mayTradeWhole(state: FuturesState, maker: LiveOrder): boolean {
  const account = state.openAccount(maker.accountId);
  const allowed = reducibleLots(account, maker.marketId, maker.side);
  if (leftOf(maker) <= allowed) return true;
  cutTo(state, maker, allowed);
  return false;
}
