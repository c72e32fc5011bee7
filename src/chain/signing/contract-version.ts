import type { Address } from '../../domain/identifiers.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import { type ChainNode, ChainRevertedError } from '../node/chain-node.ts';

/** The first version has one operator; from the second on roles are separate. */
export type ContractVersion = 1 | 2;

/**
 * Returns the version of the contracts around this router; the first has no `settler` function.
 * @throws ChainUnavailableError
 */
export async function loadVersion(
  node: ChainNode,
  rewardRouter: Address,
): Promise<ContractVersion> {
  try {
    await readContract(node, {
      address: rewardRouter,
      abi: rewardRouterAbi,
      functionName: 'settler',
    });
    return 2;
  } catch (error) {
    if (error instanceof ChainRevertedError) return 1;
    throw error;
  }
}
