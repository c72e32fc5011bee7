import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
} from 'viem';
import type { Address } from '../domain/identifiers.ts';
import type { BlockSelector, ChainNode } from './node/chain-node.ts';
import { ChainUnavailableError } from './node/json-rpc.ts';

type View = 'view' | 'pure';
type Answer<
  abi extends Abi,
  name extends ContractFunctionName<abi, View>,
> = ContractFunctionReturnType<abi, View, name>;

/** A view of a contract with its arguments. */
export interface ContractQuery<abi extends Abi, name extends ContractFunctionName<abi, View>> {
  readonly address: Address;
  readonly abi: abi;
  readonly functionName: name;
  readonly args?: ContractFunctionArgs<abi, View, name>;
  readonly at?: BlockSelector;
}

/**
 * Calls a view of a contract, by default at the latest block.
 * @throws ChainUnavailableError, also if the answer does not match the view's type;
 *   ChainRevertedError
 */
export async function readContract<
  const abi extends Abi,
  name extends ContractFunctionName<abi, View>,
>(node: Pick<ChainNode, 'call'>, query: ContractQuery<abi, name>): Promise<Answer<abi, name>> {
  const { address, abi, functionName, args, at } = query;
  // The types above are for callers; the library's own functions only need the plain values.
  const anyAbi: Abi = abi;
  const name: string = functionName;
  const question = { abi: anyAbi, functionName: name, args: args as readonly unknown[] };
  const data = await node.call({ to: address, data: encodeFunctionData(question) }, at);
  try {
    return decodeFunctionResult({ abi: anyAbi, functionName: name, data }) as Answer<abi, name>;
  } catch {
    throw new ChainUnavailableError(`${name}: the contract gave an invalid answer`);
  }
}
