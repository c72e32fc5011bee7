import type { Rate } from '../../../domain/futures-market.ts';
import type { EffectiveFees } from '../../futures-view.ts';
import { int64 } from '../../storage/int64.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

// rate = base bps x VIP multiplier (tenths) x (1 - referral discount bps / 10000), which is a whole
// number of 10^-9, so the rate displayed is exactly the rate charged.

const bpsPerWhole = 10_000;

/** The rates that an account pays in a market, in 10^-9 of the notional. */
export function effectiveFees(account: FuturesAccount, market: FuturesMarketState): EffectiveFees {
  return { maker: feeRate(account, market, true), taker: feeRate(account, market, false) };
}

/** The maker's or taker's rate of `effectiveFees`, in 10^-9 of the notional. */
export function feeRate(
  { fees }: FuturesAccount,
  { terms }: FuturesMarketState,
  isMaker: boolean,
): Rate {
  const scale = fees.vipMultiplierTenths * (bpsPerWhole - fees.referralDiscountBps);
  return int64((isMaker ? terms.makerFeeBps : terms.takerFeeBps) * scale) as Rate;
}
