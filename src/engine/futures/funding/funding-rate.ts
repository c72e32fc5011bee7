import type { Rate } from '../../../domain/futures-market.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { fundingSamplesLeast } from '../risk-limits.ts';

// 8-hour funding rate = P + clamp(I - P, -0.05 %, 0.05 %), with P the hour's average premium and I
// the interest rate of 0.01 %. Each hour pays an eighth of it, capped at three quarters of the
// maintenance margin rate. An hour whose price was known for less than half of it charges nothing.
// https://www.binance.com/en/support/faq/introduction-to-binance-futures-funding-rates-360033525031

const interest = 100_000n;
const dampingMax = 500_000n;
const hoursPerPeriod = 8n;
const sampleMs = 1_000;

/** The fewest samples with which an hour charges funding. */
const samplesNeeded: ByRules<number> = { 11: 0, 12: fundingSamplesLeast, 13: fundingSamplesLeast };

/** The rate that the next funding will charge if nothing changes. */
export function estimateFundingRate(state: FuturesState, market: FuturesMarketState): Rate {
  const leftMs = Math.max(0, market.nextFundingTime - state.now);
  // One second more than is left, as the first sample of an hour can come at its beginning.
  const reachable = market.premiumCount + Math.floor(leftMs / sampleMs) + 1;
  if (reachable < samplesNeeded[state.rules]) return 0n as Rate;
  return averageRate(market);
}

/** The rate of the hour that ends, in 10^-9; 0 if too few premiums were sampled in it. */
export function finalFundingRate(state: FuturesState, market: FuturesMarketState): Rate {
  if (market.premiumCount < samplesNeeded[state.rules]) return 0n as Rate;
  return averageRate(market);
}

function averageRate(market: FuturesMarketState): Rate {
  const count = BigInt(market.premiumCount);
  const premium = count === 0n ? 0n : market.premiumSum / count;
  return fundingRate(premium, (market.terms.maintenanceMarginRate * 3n) / 4n);
}

/** The hourly rate for an average premium, both in 10^-9. */
export function fundingRate(premium: bigint, capEachWay: bigint): Rate {
  const rate = (premium + clamp(interest - premium, dampingMax)) / hoursPerPeriod;
  return clamp(rate, capEachWay) as Rate;
}

function clamp(value: bigint, limit: bigint): bigint {
  if (value > limit) return limit;
  return value < -limit ? -limit : value;
}
