import { decodeFunctionData, encodeFunctionResult, erc20Abi, type Hex } from 'viem';
import { expect, test } from 'vitest';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import type { ChainCall, ChainNode } from '../node/chain-node.ts';
import type { RegisteredAsset } from './check-chain.ts';
import { VaultTokens } from './vault-tokens.ts';

const [first, second] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as [Address, Address];
const spotVault = `0x${'5a'.repeat(20)}` as Address;
const asset = (symbol: string, address: Address): RegisteredAsset => ({
  symbol,
  address,
  decimals: 18,
  onChainSymbol: null,
  areDepositsOn: true,
  areWithdrawalsOn: true,
});

/** A node whose vault accepts these tokens, each of 18 decimals; counts the calls. */
function nodeOf(supported: Address[]) {
  const calls: string[] = [];
  const call = async ({ to, data }: ChainCall): Promise<Hex> => {
    const abi = to === spotVault ? spotVaultAbi : erc20Abi;
    const { functionName } = decodeFunctionData({ abi, data } as {
      abi: typeof erc20Abi;
      data: Hex;
    });
    calls.push(functionName);
    const result = { supportedTokens: supported, symbol: 'ANY', decimals: 18 }[
      functionName as 'symbol'
    ];
    return encodeFunctionResult({ abi: abi as typeof erc20Abi, functionName, result });
  };
  return { calls, node: { call } as unknown as ChainNode };
}

test('tokens: a token added to the manifest later is known without a restart', async () => {
  const { node } = nodeOf([first, second]);
  const tokens = new VaultTokens({ node, spotVault }, { tokens: [], assetFaults: [] });
  await tokens.refresh([asset('ONE', first)]);
  expect(tokens.named.map(({ symbol }) => symbol)).toEqual(['ONE']);
  await tokens.refresh([asset('ONE', first), asset('TWO', second)]);
  expect(tokens.named.map(({ symbol }) => symbol)).toEqual(['ONE', 'TWO']);
});

test('tokens: a token that the vault accepts later is known, and nothing is queried while nothing changes', async () => {
  const supported = [first];
  const { node, calls } = nodeOf(supported);
  const tokens = new VaultTokens({ node, spotVault }, { tokens: [], assetFaults: [] });
  const assets = [asset('ONE', first), asset('TWO', second)];
  await tokens.refresh(assets);
  expect(tokens.named.map(({ symbol }) => symbol)).toEqual(['ONE']);
  calls.splice(0);
  expect(await tokens.refresh(assets)).toBeNull();
  expect(calls).toEqual(['supportedTokens']);
  supported.push(second);
  expect(await tokens.refresh(assets)).toEqual([]);
  expect(tokens.named.map(({ symbol }) => symbol)).toEqual(['ONE', 'TWO']);
});
