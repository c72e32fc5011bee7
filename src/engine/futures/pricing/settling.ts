import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// A price move is settled before anyone trades on it. All accounts have been judged, with more
// equity than maintenance margin left, at marks within a market's judged range. While its mark
// stays within a quarter of the base maintenance rate of that range, no account can have lost more
// than it had, and the hour's funding, at most three quarters of the rate, is covered too. Beyond
// it, or while a close-out still has a position there, the market is settling: no order is
// accepted, triggers and resting orders wait, and its profit carries nothing.

/** Whether positions in the market may have losses that nobody has paid yet. */
export function isSettling({ isUnjudged, closeOutCount }: FuturesMarketState): boolean {
  return isUnjudged || closeOutCount > 0;
}

/** Begins a scan of all accounts, which judges at the marks from now to its end. */
export function beginScan(state: FuturesState): void {
  for (const market of state.markets) {
    const { markPrice } = market;
    market.scanned = markPrice === null ? null : { low: markPrice, high: markPrice };
  }
}

/** Extends the scan's range of marks when the mark moves during the scan. */
export function widenScan(market: FuturesMarketState, markPrice: bigint): void {
  const { scanned: looked } = market;
  if (looked === null) {
    market.scanned = { low: markPrice, high: markPrice };
    market.judged ??= market.scanned;
  } else if (markPrice < looked.low) {
    market.scanned = { low: markPrice, high: looked.high };
  } else if (markPrice > looked.high) {
    market.scanned = { low: looked.low, high: markPrice };
  }
}

/** Ends a scan that has judged all accounts. @returns false if another one is needed. */
export function endScan(state: FuturesState): boolean {
  let isEnough = true;
  for (const market of state.markets) {
    market.judged = market.scanned;
    if (market.isUnjudged) isEnough = false;
  }
  return isEnough;
}

/** Makes the mark the settled price of each market that is not settling. */
export function settlePrices(state: FuturesState): void {
  if (!state.hasUnsettled) return;
  state.hasUnsettled = false;
  for (const market of state.markets) {
    if (isSettling(market)) state.hasUnsettled = true;
    else market.settledPrice = market.markPrice;
  }
}
