import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { OnChainPorts } from './load-user-rebate.ts';

export interface ClaimedAmountView {
  readonly address: string;
  readonly claimed_usd: string;
}

/**
 * The total that an account has redeemed.
 * @throws ChainError
 */
export async function loadClaimedAmount(
  { onChainReader }: OnChainPorts,
  address: Address,
): Promise<ClaimedAmountView> {
  const claimed = await onChainReader.loadClaimed(address);
  return { address, claimed_usd: formatMicroUsdt(claimed) };
}
