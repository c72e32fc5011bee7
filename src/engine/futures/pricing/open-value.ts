import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { entriesMax, openValueMax } from '../risk-limits.ts';

const isLimited: ByRules<boolean> = { 11: false, 12: true, 13: true };

/**
 * Whether all longs of all markets together would still be worth no more than the limit with the
 * market at this price.
 */
export function fitsOpenValue(
  state: FuturesState,
  market: FuturesMarketState,
  price: bigint,
): boolean {
  if (!isLimited[state.rules]) return true;
  let sum = market.valueAt(price, market.openInterest);
  for (const other of state.markets) {
    if (other !== market) sum += other.lotWorth.down(other.openInterest);
  }
  return sum <= openValueMax[state.rules];
}

/**
 * The lots by which the market's open interest may grow at the mark price; negative if the price
 * has put it above its maximum. If the maxima of all markets together exceed the limit, a market
 * may go up to its share of half the limit, and beyond it as long as all open interest is worth no
 * more than that half. So trades alone keep it within the limit.
 */
export function openInterestRoom(state: FuturesState, market: FuturesMarketState): number {
  const room = market.openInterestMax - market.openInterest;
  if (areEntriesFull(state)) return Math.min(room, 0);
  const unshared = unsharedLots(state, market) - market.openInterest;
  if (unshared >= room) return room;
  let left = openValueMax[state.rules] / 2n;
  for (const other of state.markets) left -= other.lotWorth.down(other.openInterest);
  return Math.min(room, Math.max(unshared, left > 0n ? market.lotsAtMark(left) : 0));
}

/** Whether all longs, or all shorts, have cost what they may cost before any are opened. */
function areEntriesFull({ entries, rules }: FuturesState): boolean {
  const most = entriesMax[rules];
  return (entries[0] as bigint) >= most || (entries[1] as bigint) >= most;
}

/** The open interest in lots that the market may have whatever that of the others is. */
function unsharedLots(state: FuturesState, market: FuturesMarketState): number {
  if (!isLimited[state.rules]) return market.openInterestMax;
  const { unshared, markVersion } = market;
  const count = state.markets.length;
  if (unshared.markVersion !== markVersion || unshared.marketCount !== count) {
    const valueMax = openValueMax[state.rules];
    const share = valueMax / 2n / BigInt(count);
    const lots = sumOfMaxima(state) <= valueMax ? market.openInterestMax : market.lotsAtMark(share);
    market.unshared = { markVersion, marketCount: count, lots };
  }
  return Math.min(market.openInterestMax, market.unshared.lots);
}

/** Markets are only ever added, and their maxima never change: each is summed once. */
function sumOfMaxima({ markets, maxima }: FuturesState): bigint {
  for (; maxima.count < markets.length; maxima.count += 1) {
    maxima.sum += (markets[maxima.count] as FuturesMarketState).terms.maxOpenInterest;
  }
  return maxima.sum;
}
