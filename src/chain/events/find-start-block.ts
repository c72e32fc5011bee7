import type { Address } from '../../domain/identifiers.ts';
import type { ChainNode } from '../node/chain-node.ts';
import { ChainRpcError } from '../node/json-rpc.ts';

/**
 * Finds the block before a contract was created, by bisection; its events begin after it. Null if
 * the node no longer has the states of old blocks.
 * @throws ChainUnavailableError
 */
export async function findStartBlock(
  node: ChainNode,
  contract: Address,
  highest: number,
): Promise<number | null> {
  let without = 0;
  let withCode = highest;
  try {
    while (withCode - without > 1) {
      const middle = Math.floor((without + withCode) / 2);
      if ((await node.loadCode(contract, middle)) === '0x') without = middle;
      else withCode = middle;
    }
    return without;
  } catch (error) {
    if (error instanceof ChainRpcError) return null;
    throw error;
  }
}
