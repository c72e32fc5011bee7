import type {
  BlockReference,
  ChainLedger,
  OverdueSlot,
  ProvenNonce,
} from '../../application/ports-chain-ledger.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';

export interface SlotExpiryOptions {
  readonly node: ChainNode;
  readonly ledger: ChainLedger;
  readonly contracts: ContractAddresses;
}

/**
 * Gives up what is signed and past its deadline, as far as the contracts' own nonces at the last
 * counted block say that it was never used. Returns what was used without a counted event: then an
 * event was withheld.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function expireSlots(
  { node, ledger, contracts }: SlotExpiryOptions,
  cursor: BlockReference,
): Promise<readonly OverdueSlot[]> {
  const overdue = await ledger.listOverdue();
  if (overdue.length === 0) return [];
  const proven: ProvenNonce[] = [];
  for (const { contract, account } of overdue) {
    const nonce = await loadNonce(node, contracts, { contract, account, block: cursor });
    proven.push({ contract, account, nonce });
  }
  return ledger.expire(cursor, proven);
}

interface NonceQuestion extends Pick<OverdueSlot, 'contract' | 'account'> {
  readonly block: BlockReference;
}

async function loadNonce(
  node: ChainNode,
  contracts: ContractAddresses,
  { contract, account, block }: NonceQuestion,
): Promise<number> {
  const args = [toHexAddress(account)] as const;
  const at = { blockHash: block.hash };
  const nonce =
    contract === 'spotVault'
      ? await readContract(node, {
          ...{ address: contracts.spotVault, abi: spotVaultAbi, args, at },
          functionName: 'releaseNonce',
        })
      : await readContract(node, {
          ...{ address: contracts.rewardRouter, abi: rewardRouterAbi, args, at },
          functionName: 'nonces',
        });
  return Number(nonce);
}
