import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { reducibleLots } from './follow-position.ts';
import type { LiveOrder } from './live-order.ts';

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
  const room = Math.max(0, market.openInterestMax - market.openInterest);
  return room + closableLots(state, maker) + closableLots(state, taker);
}

/** The lots of the position that the order would close. */
export function closableLots(
  state: FuturesState,
  { accountId, marketId, side }: LiveOrder,
): number {
  return reducibleLots(state.openAccount(accountId), marketId, side);
}
