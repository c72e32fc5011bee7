import { parseAbi, zeroAddress } from 'viem';
import type { BlockReference } from '../../application/ports/chain-ledger.ts';
import type { DrainingContract } from '../../application/ports/contracts.ts';
import { readContract } from '../contract-calls.ts';
import { type ChainNode, ChainRevertedError } from '../node/chain-node.ts';

const abi = parseAbi([
  'function retired() view returns (bool)',
  'function paused() view returns (bool)',
  'function owner() view returns (address)',
]);

/**
 * Whether a contract can take no deposit and pay nobody after this block: it is retired, or, in the
 * first version, paused and without an owner.
 * @throws ChainUnavailableError
 */
export async function hasEnded(
  node: ChainNode,
  { address }: DrainingContract,
  { hash }: BlockReference,
): Promise<boolean> {
  const asked = { address, abi, at: { blockHash: hash } };
  try {
    return await readContract(node, { ...asked, functionName: 'retired' });
  } catch (error) {
    // The first version has no such view.
    if (!(error instanceof ChainRevertedError)) throw error;
  }
  const isPaused = await readContract(node, { ...asked, functionName: 'paused' });
  return (
    isPaused && (await readContract(node, { ...asked, functionName: 'owner' })) === zeroAddress
  );
}
