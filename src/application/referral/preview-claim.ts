import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { ClaimPorts } from './claim-use-case.ts';

export interface ClaimPreviewView {
  /** Settled on chain and not claimed, including what an open order holds. */
  readonly claimable: string;
  /** Waiting for settlement. */
  readonly pending: string;
  readonly last_claimed_at: string | null;
  readonly claim_wallet: string;
}

/**
 * What a claim would pay, and to which address.
 * @throws DatabaseError
 */
export async function previewClaim(ports: ClaimPorts, caller: Address): Promise<ClaimPreviewView> {
  await waitForDatabase(ports);
  const { claimable, unsynced } = await ports.referralReader.loadSums(caller);
  const lastFinish = await ports.claims.findLastFinish(caller);
  return {
    claimable: formatMicroUsdt(claimable),
    pending: formatMicroUsdt(unsynced),
    last_claimed_at: lastFinish?.toISOString() ?? null,
    claim_wallet: caller,
  };
}
