import type {
  BlockReference,
  ChainLedger,
  OverdueSlot,
  ProvenNonce,
} from '../../application/ports/chain-ledger.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { loadReleaseNonce, loadRewardNonce } from '../reading/proven-views.ts';

export interface SlotExpiryOptions extends Pick<ChainConnection, 'node' | 'contracts' | 'version'> {
  readonly ledger: ChainLedger;
}

/**
 * Expires what is signed and past its deadline, if the contracts' own nonces at the last counted
 * block prove that it was never used. Returns what was used without a counted event, which means
 * that an event was withheld.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function expireSlots(
  options: SlotExpiryOptions,
  cursor: BlockReference,
): Promise<readonly OverdueSlot[]> {
  const { ledger } = options;
  const overdue = await ledger.listOverdue();
  if (overdue.length === 0) return [];
  const proven: ProvenNonce[] = [];
  for (const { contract, account } of overdue) {
    const asked = { account, blockHash: cursor.hash };
    const nonce =
      contract === 'spotVault'
        ? await loadReleaseNonce(options, asked)
        : await loadRewardNonce(options, asked);
    proven.push({ contract, account, nonce: Number(nonce) });
  }
  return ledger.expire(cursor, proven);
}
