import type { Rate } from '../../../domain/futures-market.ts';
import type { EffectiveFees } from '../../futures-view.ts';
import { int64 } from '../../storage/int64.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// rate = base bps x VIP multiplier (tenths) x (1 - referral discount bps / 10000), which is a whole
// number of 10^-9, so the rate displayed is exactly the rate charged.

const bpsPerWhole = 10_000;
const rateUnit = 1_000_000_000n;

export function effectiveFees(account: FuturesAccount, market: FuturesMarketState): EffectiveFees {
  return { maker: feeRate(account, market, true), taker: feeRate(account, market, false) };
}

export function feeRate(
  { fees }: FuturesAccount,
  { terms }: FuturesMarketState,
  isMaker: boolean,
): Rate {
  const scale = fees.vipMultiplierTenths * (bpsPerWhole - fees.referralDiscountBps);
  return int64((isMaker ? terms.makerFeeBps : terms.takerFeeBps) * scale) as Rate;
}

/**
 * The fee on the quote amount of a trade, rounded up. Computed in two parts that each fit in 64
 * bits.
 */
export function feeOf(quote: bigint, rate: Rate): bigint {
  const money = BigInt.asIntN(64, quote);
  const factor = BigInt.asIntN(64, rate);
  const units = BigInt.asIntN(64, money / rateUnit);
  const rest = BigInt.asIntN(64, money % rateUnit);
  const ofRest = BigInt.asIntN(64, BigInt.asIntN(64, rest * factor) + (rateUnit - 1n));
  return BigInt.asIntN(
    64,
    BigInt.asIntN(64, units * factor) + BigInt.asIntN(64, ofRest / rateUnit),
  );
}
