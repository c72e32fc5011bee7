import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import { tiers } from '../../programs/referral/tiers.ts';
import type { OnChainReader } from '../ports/chain.ts';

/** What the on-chain queries need; the reader's data can be some seconds old. */
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
 * An account's data in the referral contracts.
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
    // The contract may have a tier that is unknown to this version.
    tier_name: tiers[rebate.tierLevel]?.name ?? '',
  };
}
