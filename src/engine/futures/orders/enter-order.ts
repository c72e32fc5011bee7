import { assert } from '../../../domain/assert.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Lots } from '../../../domain/spot-market.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import {
  checkMargin,
  checkNotional,
  checkPriceState,
  checkReduceOnly,
  marketLimit,
} from './check-order.ts';
import { endOrder, expiredBy, expiredInMatch } from './end-order.ts';
import { reducibleLots } from './follow-position.ts';
import { type LiveOrder, leftOf } from './live-order.ts';
import { anyPrice, bookSideOf, isCrossing, matchOrder, whyKilled } from './match-order.ts';
import { matchPrice } from './match-price.ts';
import { addExposure } from './order-exposure.ts';

// An order reaches the book when it is placed or when it triggers. It is then judged and matched as
// far as possible, and the remainder rests or ends.

/** An order admitted to the book, with the worst price at which it trades. */
export interface AdmittedOrder {
  readonly order: LiveOrder;
  readonly limit: number;
}

/**
 * Judges an order that is about to reach the book; changes nothing but its price, its quantity and
 * whether it is reduce-only. For the changed copy of an order that is being amended, `resting` is
 * that order in the book, whose margin the copy can use.
 */
export function admitOrder(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  order: LiveOrder,
  worstPrice: number | null,
  resting: LiveOrder | null = null,
): Rejection | AdmittedOrder {
  const unmatched = matchPrice(market, order);
  if (unmatched !== null) return unmatched;
  const refused = checkPriceState(state, account, market, order);
  if (refused !== null) return refused;
  const reduceOnly = checkReduceOnly(account, order);
  if (reduceOnly !== null) return reduceOnly;
  cutToPosition(account, order);
  const limit = order.price ?? marketLimit(market, order.side, worstPrice);
  // Without any price nothing can be judged, and nothing can trade either.
  if (limit === null) return { order, limit: anyPrice(order) };
  const refusal =
    checkNotional(state, market, order, limit) ??
    checkTaking(market, order, limit) ??
    checkMargin(state, account, market, order, limit, resting);
  return refusal ?? { order, limit };
}

/** Whether `admitOrder` has refused the order. */
export function isRejection(value: Rejection | AdmittedOrder): value is Rejection {
  return 'reason' in value;
}

/** Trades an admitted order. The remainder rests, or ends for the reason that stopped it. */
export function runOrder(state: FuturesState, { order, limit }: AdmittedOrder): void {
  const market = state.getMarket(order.marketId);
  const killed = order.timeInForce === 'fok' ? whyKilled(state, market, order, limit) : null;
  if (killed !== null) return endOrder(state, order, expiredBy(killed));
  const end = matchOrder(state, market, order, limit);
  if (end === 'filled') return;
  if (end === 'self_trade') return endOrder(state, order, expiredInMatch);
  if (end === 'margin') return endOrder(state, order, expiredBy('margin'));
  if (end === 'open_interest') return endOrder(state, order, expiredBy('open_interest'));
  if (end === 'band' || end === 'makers')
    return endOrder(state, order, expiredBy('price_protection'));
  if (order.price === null) {
    const hasDepth = isCrossing(market, bookSideOf(order), anyPrice(order));
    return endOrder(state, order, expiredBy(hasDepth ? 'price_protection' : 'time_in_force'));
  }
  if (order.timeInForce === 'ioc') return endOrder(state, order, expiredBy('time_in_force'));
  // An order that cannot trade beyond the band cannot rest there either.
  if (isBeyondBand(market, order)) return endOrder(state, order, expiredBy('price_protection'));
  rest(state, market, order);
}

function isBeyondBand({ bandLow, bandHigh }: FuturesMarketState, order: LiveOrder): boolean {
  if (order.price === null) return false;
  return order.side === 'buy' ? order.price > bandHigh : order.price < bandLow;
}

function rest(state: FuturesState, market: FuturesMarketState, order: LiveOrder): void {
  const { price, slot, accountId: account } = order;
  assert(price !== null, 'an order without a price does not rest');
  order.isResting = true;
  if (!state.orders.isLive(order)) state.addOrder(order);
  addExposure(state, order);
  const quantity = leftOf(order);
  market.book.add({ account, side: bookSideOf(order), price, quantity, policy: 'rest' }, slot);
}

function cutToPosition(account: FuturesAccount, order: LiveOrder): void {
  if (!order.isReduceOnly) return;
  const room = reducibleLots(account, order.marketId, order.side);
  if (order.isClosePosition) order.quantity = (order.filledQuantity + room) as Lots;
  else if (leftOf(order) > room) order.quantity = (order.filledQuantity + room) as Lots;
}

function checkTaking(
  market: FuturesMarketState,
  order: LiveOrder,
  limit: number,
): Rejection | null {
  if (order.timeInForce !== 'gtx' || !isCrossing(market, bookSideOf(order), limit)) return null;
  return { reason: 'post_only_would_cross' };
}
