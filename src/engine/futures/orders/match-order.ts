import { assert } from '../../../domain/assert.ts';
import {
  type BookSide,
  buySide,
  noAsk,
  noBid,
  priceMax,
  priceMin,
  sellSide,
} from '../../book/order-book.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { endOrder, expiredInMatch } from './end-order.ts';
import { cutTo, reducibleLots } from './follow-position.ts';
import { type LiveOrder, leftOf } from './live-order.ts';

/** Why an order stopped trading: it is filled, nothing crosses any more, or it met its own. */
export type MatchEnd = 'filled' | 'exhausted' | 'self_trade';

/** Trades the order, or so many lots of it, against the book up to a price in ticks. */
export function matchOrder(
  state: FuturesState,
  market: FuturesMarketState,
  taker: LiveOrder,
  limit: number,
  lotsMax = Number.POSITIVE_INFINITY,
): MatchEnd {
  const { book } = market;
  const filledMax = taker.filledQuantity + lotsMax;
  const side = bookSideOf(taker);
  const makerSide: BookSide = side === buySide ? sellSide : buySide;
  while (leftOf(taker) > 0) {
    const room = filledMax - taker.filledQuantity;
    if (room === 0 || !isCrossing(market, side, limit)) return 'exhausted';
    const maker = state.orders.get(book.firstOf(makerSide));
    assert(maker !== undefined, 'the book holds orders that live');
    if (maker.accountId === taker.accountId) {
      if (taker.selfTradeMode !== 'expire_taker') endOrder(state, maker, expiredInMatch);
      if (taker.selfTradeMode !== 'expire_maker') return 'self_trade';
      continue;
    }
    if (maker.isReduceOnly && !mayTradeWhole(state, maker)) continue;
    const settlement = market.settlement;
    settlement.taker = taker;
    const quantity = Math.min(leftOf(taker), leftOf(maker), room);
    const { orderNumber, accountId: account } = taker;
    book.add({ orderNumber, account, side, price: limit, quantity, policy: 'drop' });
    settlement.taker = null;
  }
  return 'filled';
}

/** The lots that the order would trade at once, or its own orders on the way would let it. */
export function reachableLots(
  state: FuturesState,
  market: FuturesMarketState,
  taker: LiveOrder,
  limit: number,
): number {
  const isBuy = taker.side === 'buy';
  const wanted = leftOf(taker);
  let reachable = 0;
  /** What each maker's account has given on the way: it leaves reduce-only orders less room. */
  const given = new Map<number, number>();
  market.book.visitOrders(isBuy ? sellSide : buySide, (orderNumber, price, quantity) => {
    if (isBuy ? price > limit : price < limit) return false;
    const maker = state.orders.get(orderNumber);
    assert(maker !== undefined, 'the book holds orders that live');
    const { accountId } = maker;
    if (accountId === taker.accountId) return taker.selfTradeMode === 'expire_maker';
    const before = given.get(accountId) ?? 0;
    const lots = Math.min(quantity, roomOf(state, maker) - before);
    if (lots <= 0) return true;
    given.set(accountId, before + lots);
    reachable += lots;
    return reachable < wanted;
  });
  return Math.min(reachable, wanted);
}

/** The lots that a resting order may trade before its account's others have. */
function roomOf(state: FuturesState, maker: LiveOrder): number {
  if (!maker.isReduceOnly) return Number.POSITIVE_INFINITY;
  return reducibleLots(state.openAccount(maker.accountId), maker.marketId, maker.side);
}

export function bookSideOf({ side }: Pick<LiveOrder, 'side'>): BookSide {
  return side === 'buy' ? buySide : sellSide;
}

export function isCrossing({ book }: FuturesMarketState, side: BookSide, limit: number): boolean {
  return side === buySide
    ? book.bestAsk !== noAsk && limit >= book.bestAsk
    : book.bestBid !== noBid && limit <= book.bestBid;
}

/** The limit of an order that takes any price. */
export function anyPrice({ side }: Pick<LiveOrder, 'side'>): number {
  return side === 'buy' ? priceMax : priceMin;
}

// A sweep may have shrunk the maker's position since its order was last cut to it.
function mayTradeWhole(state: FuturesState, maker: LiveOrder): boolean {
  const account = state.openAccount(maker.accountId);
  const allowed = reducibleLots(account, maker.marketId, maker.side);
  if (leftOf(maker) <= allowed) return true;
  cutTo(state, maker, allowed);
  return false;
}
