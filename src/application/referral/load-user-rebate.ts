import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import { tiers } from '../../programs/referral/tiers.ts';
import type { OnChainReader } from '../ports-chain.ts';

/** What the on-chain queries need; the reader's answers may be some seconds old. */
export interface OnChainPorts {
  readonly onChainReader: OnChainReader;
}

export interface UserRebateView {
  readonly address: string;
  readonly claimed_usd: string;
  readonly nonce: number;
  readonly referral_code: string;
  readonly referrer: string;
  readonly tier_level: number;
  readonly tier_name: string;
}

/**
 * What the referral contracts show of an account.
 * @throws ChainError
 */
export async function loadUserRebate(
  { onChainReader }: OnChainPorts,
  address: Address,
): Promise<UserRebateView> {
  const rebate = await onChainReader.loadUserRebate(address);
  return {
    address,
    claimed_usd: formatMicroUsdt(rebate.claimed),
    nonce: rebate.nonce,
    referral_code: rebate.code,
    referrer: rebate.referrer,
    tier_level: rebate.tierLevel,
    // The contract could know a tier that this version does not.
    tier_name: tiers[rebate.tierLevel]?.name ?? '',
  };
}
