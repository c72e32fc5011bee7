import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import { readContract } from '../contract-calls.ts';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainNode } from '../node/chain-node.ts';

/**
 * Why the vault would refuse a release signed now, which would lock its owner's money until the
 * deadline. Null if it would pay.
 * @throws ChainUnavailableError
 */
export async function findVaultFault(
  node: ChainNode,
  spotVault: Address,
  signer: Address,
): Promise<string | null> {
  const vault = { address: spotVault, abi: spotVaultAbi };
  const [operator, isPaused] = await Promise.all([
    readContract(node, { ...vault, functionName: 'operator' }),
    readContract(node, { ...vault, functionName: 'paused' }),
  ]);
  if (fromHexAddress(operator) !== signer) {
    return `the vault's operator is ${fromHexAddress(operator)}, not the signer ${signer}`;
  }
  return isPaused ? 'the vault is paused' : null;
}
