import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// A price move is settled before anybody trades on it. All accounts have been judged, with more
// equity than maintenance margin left, at marks within a market's judged range. While its mark
// stays within a quarter of the base maintenance rate of that range nobody can have lost what he
// had, and the hour's funding, at most three quarters of the rate, is covered too. Beyond it, or
// while a close-out still holds a position there, the market settles: no order is taken, triggers
// and resting orders wait, and its profit carries nothing.

/** Whether positions in the market may still have losses that nobody has paid. */
export function isSettling({ isUnjudged, closeOutCount }: FuturesMarketState): boolean {
  return isUnjudged || closeOutCount > 0;
}

/** A look at all accounts begins: it judges at the marks from now to its end. */
export function beginLook(state: FuturesState): void {
  for (const market of state.markets) {
    const { markPrice } = market;
    market.looked = markPrice === null ? null : { low: markPrice, high: markPrice };
  }
}

/** The mark has moved while accounts are looked at. */
export function widenLook(market: FuturesMarketState, markPrice: bigint): void {
  const { looked } = market;
  if (looked === null) {
    market.looked = { low: markPrice, high: markPrice };
    market.judged ??= market.looked;
  } else if (markPrice < looked.low) {
    market.looked = { low: markPrice, high: looked.high };
  } else if (markPrice > looked.high) {
    market.looked = { low: looked.low, high: markPrice };
  }
}

/** All accounts have been looked at since the last beginning. @returns whether that was enough. */
export function endLook(state: FuturesState): boolean {
  let isEnough = true;
  for (const market of state.markets) {
    market.judged = market.looked;
    if (market.isUnjudged) isEnough = false;
  }
  return isEnough;
}

/** Where a market is not settling, its mark is its settled price from now on. */
export function settlePrices(state: FuturesState): void {
  if (!state.hasUnsettled) return;
  state.hasUnsettled = false;
  for (const market of state.markets) {
    if (isSettling(market)) state.hasUnsettled = true;
    else market.settledPrice = market.markPrice;
  }
}
