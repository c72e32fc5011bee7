import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { openValueMax } from '../risk-limits.ts';

const isLimited: ByRules<boolean> = { 11: false, 12: true };

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
  return sum <= openValueMax;
}

/** Whether a new market's largest open interest leaves that of all markets within the limit. */
export function fitsOpenInterest(state: FuturesState, maxOpenInterest: bigint): boolean {
  if (!isLimited[state.rules]) return true;
  let sum = maxOpenInterest;
  for (const { terms } of state.markets) {
    if (terms.status !== 'delisted') sum += terms.maxOpenInterest;
  }
  return sum <= openValueMax;
}
