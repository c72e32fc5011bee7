import type { Rate } from '../../../domain/futures-market.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// 8-hour funding rate = P + clamp(I - P, -0.05 %, 0.05 %), with P the hour's average premium and I
// the interest rate of 0.01 %. Each hour pays an eighth of it, capped at three quarters of the
// maintenance margin rate.
// https://www.binance.com/en/support/faq/introduction-to-binance-futures-funding-rates-360033525031

const interest = 100_000n;
const dampingMax = 500_000n;
const hoursPerPeriod = 8n;

/** The rate that the next funding will charge if nothing changes. */
export function estimateFundingRate(market: FuturesMarketState): Rate {
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
