import type { FuturesState } from '../futures-state.ts';
import { raisesMargin } from '../margin/open-interest-margin.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { openInterestRoom } from '../pricing/open-value.ts';
import { reducibleLots } from './follow-position.ts';
import type { LiveOrder } from './live-order.ts';
import type { TradeTerms } from './trade-terms.ts';

/**
 * The lots that the two orders can trade with each other: what either closes adds no open interest,
 * and the rest needs room below the market's maximum. Never negative.
 */
export function lotsWithinOpenInterest(
  state: FuturesState,
  market: FuturesMarketState,
  maker: LiveOrder,
  taker: LiveOrder,
): number {
  const room = Math.max(0, openInterestRoom(state, market));
  return room + closableLots(state, maker) + closableLots(state, taker);
}

/**
 * The open interest once the two orders have traded the lots; what either of them closes does not
 * add to it. Exact only if it raises margins, which is all that depends on it.
 */
export function openInterestAfter(
  state: FuturesState,
  market: FuturesMarketState,
  { maker, taker, quantity }: Pick<TradeTerms, 'maker' | 'taker' | 'quantity'>,
): number {
  const most = market.openInterest + quantity;
  if (!raisesMargin(state, market, most)) return most;
  const closedByMaker = Math.min(quantity, closableLots(state, maker));
  return most - closedByMaker - Math.min(quantity, closableLots(state, taker));
}

/** The lots of the position that the order would close. */
export function closableLots(
  state: FuturesState,
  { accountId, marketId, side }: LiveOrder,
): number {
  return reducibleLots(state.openAccount(accountId), marketId, side);
}
