import type { Rate } from '../../../domain/futures-market.ts';
import type { EffectiveFees } from '../../futures-view.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// rate = base bps x VIP multiplier (tenths) x (1 - referral discount bps / 10000), which is a
// whole number of 10^-9: the rate that is shown is exactly the one that is charged.

const bpsPerWhole = 10_000;
const rateUnit = 1_000_000_000n;

export function effectiveFees(account: FuturesAccount, market: FuturesMarketState): EffectiveFees {
  const { vipMultiplierTenths, referralDiscountBps } = account.fees;
  const scale = vipMultiplierTenths * (bpsPerWhole - referralDiscountBps);
  const { makerFeeBps, takerFeeBps } = market.terms;
  return {
    maker: BigInt(makerFeeBps * scale) as Rate,
    taker: BigInt(takerFeeBps * scale) as Rate,
  };
}

/** The fee of a trade's money, rounded up. */
export function feeOf(quote: bigint, rate: Rate): bigint {
  return (quote * rate + rateUnit - 1n) / rateUnit;
}
