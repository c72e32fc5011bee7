import type { Address } from '../../domain/identifiers.ts';
import type { OnChainPorts } from './load-user-rebate.ts';

export interface TraderReferralView {
  readonly address: string;
  readonly code: string;
  readonly referrer: string;
  readonly total_rebate_bps: number;
  readonly trader_discount_bps: number;
  readonly affiliate_reward_bps: number;
}

/**
 * How the contracts split the rebate on a trader's fees.
 * @throws ChainError
 */
export async function loadTraderReferral(
  { onChainReader }: OnChainPorts,
  address: Address,
): Promise<TraderReferralView> {
  const referral = await onChainReader.loadTraderReferral(address);
  return {
    address,
    code: referral.code,
    referrer: referral.referrer,
    total_rebate_bps: referral.totalRebateBps,
    trader_discount_bps: referral.traderDiscountBps,
    affiliate_reward_bps: referral.affiliateRewardBps,
  };
}
