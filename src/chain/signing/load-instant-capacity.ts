import type { InstantCapacity } from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';

/**
 * How much of a token the vault pays immediately, given its limits, its window and its balance.
 * @throws ChainUnavailableError, ChainRevertedError
 */
export async function loadInstantCapacity(
  { node, contracts: { spotVault } }: Pick<ChainConnection, 'node' | 'contracts'>,
  token: Address,
): Promise<InstantCapacity> {
  const { hash: blockHash, timestamp } = await node.loadHead();
  const asked = {
    address: spotVault,
    abi: spotVaultAbi,
    args: [toHexAddress(token)],
    at: { blockHash },
  } as const;
  const [{ instantMax, windowMax, delay }, used, accounted] = await Promise.all([
    readContract(node, { ...asked, functionName: 'limits' }),
    readContract(node, { ...asked, functionName: 'windowUsed' }),
    readContract(node, { ...asked, functionName: 'accounted' }),
  ]);
  const free = windowMax > used ? windowMax - used : 0n;
  const rawAmount = [instantMax, free, accounted].reduce((least, each) =>
    each < least ? each : least,
  );
  return { rawAmount, delaySeconds: delay, blockSeconds: timestamp };
}
