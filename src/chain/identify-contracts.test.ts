import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem';
import { beforeEach, expect, test } from 'vitest';
import { MemoryContractStore } from '../../test/support/chain/memory-contract-store.ts';
import type { ContractSet, CountedAccount } from '../application/ports/contracts.ts';
import type { Address } from '../domain/identifiers.ts';
import { toMicroUsdt } from '../domain/micro-usdt.ts';
import { identifyContracts } from './identify-contracts.ts';
import { type ChainCall, type ChainNode, ChainRevertedError } from './node/chain-node.ts';

const addressOf = (seed: number): Address => `0x${seed.toString(16).padStart(40, '0')}` as Address;
const first: ContractSet = {
  rewardRouter: addressOf(1),
  referralRebate: addressOf(2),
  spotVault: addressOf(3),
};
const account = addressOf(0xa1);
const counted: CountedAccount = {
  account,
  deposits: 2,
  releases: 1,
  redemptions: 1,
  settled: toMicroUsdt(10n),
  claimed: toMicroUsdt(5n),
};
const views = parseAbi([
  'function settled(address account) view returns (uint256)',
  'function claimed(address account) view returns (uint256)',
  'function nonces(address account) view returns (uint256)',
  'function depositCount(address account) view returns (uint256)',
  'function releaseNonce(address account) view returns (uint256)',
  'function predecessor() view returns (address)',
]);

let store: MemoryContractStore;
let numbers: Record<string, bigint>;
let predecessors: Map<Address, Address>;

beforeEach(() => {
  store = new MemoryContractStore();
  numbers = { settled: 10n, claimed: 5n, nonces: 1n, depositCount: 2n, releaseNonce: 1n };
  predecessors = new Map();
});

const node = {
  call: async ({ to, data }: ChainCall) => {
    const { functionName } = decodeFunctionData({ abi: views, data });
    if (functionName !== 'predecessor') {
      const result = numbers[functionName] ?? 0n;
      return encodeFunctionResult({ abi: views, functionName, result });
    }
    const result = predecessors.get(to);
    if (result === undefined) throw new ChainRevertedError('execution reverted', '0x');
    return encodeFunctionResult({ abi: views, functionName, result: result as `0x${string}` });
  },
} as unknown as ChainNode;

const identify = (contracts: ContractSet) =>
  identifyContracts({ node, store, contracts, chainId: 31_337 });

test('contracts: an empty database counts the contracts of its first connection, and no others later', async () => {
  expect(await identify(first)).toBeNull();
  expect(store.active).toEqual(first);
  const other = { ...first, spotVault: addressOf(9) };
  expect(await identify(other)).toBe(
    `this database counted the contract ${first.spotVault}, not ${other.spotVault}; run contracts:migrate`,
  );
  expect(store.active).toEqual(first);
});

test('contracts: a database that counted a different chain is refused, whatever its contracts', async () => {
  expect(await identify(first)).toBeNull();
  const elsewhere = { node, store, contracts: first, chainId: 42_161 };
  expect(await identifyContracts(elsewhere)).toBe('this database counted chain 31337, not 42161');
});

test.each(['settled', 'claimed', 'nonces', 'depositCount', 'releaseNonce'])(
  'contracts: a database with more than the chain in %s counted another contract',
  async (view) => {
    store.counted = [counted];
    numbers[view] = (numbers[view] ?? 0n) - 1n;
    expect(await identify(first)).toContain('this database counted another contract');
    expect(store.active).toBeNull();
    numbers[view] = (numbers[view] ?? 0n) + 1n;
    expect(await identify(first)).toBeNull();
  },
);

test('contracts: withdrawals that are open with another vault stop the first connection', async () => {
  const open = (vault: number) => (id: string) => ({ id, contractAddress: addressOf(vault) });
  const many = Array.from({ length: 22 }, (_, i) => `w-${i}`);
  store.foreign = [...many.map(open(7)), open(8)('x-1')];
  expect(await identify(first)).toBe(
    `withdrawals ${many.slice(0, 20).join(', ')} and 2 more are open with the vault ${addressOf(7)}; ` +
      `withdrawals x-1 are open with the vault ${addressOf(8)}: run contracts:migrate -- --adopt`,
  );
});

test('fault 7: a router whose predecessor on chain is the counted one continues its numbers', async () => {
  store.active = first;
  store.counted = [counted];
  const next = { ...first, rewardRouter: addressOf(11), referralRebate: addressOf(12) };
  predecessors.set(next.rewardRouter, first.rewardRouter);
  numbers['settled'] = 9n;
  expect(await identify(next)).toContain('cannot replace it yet: settled of');
  expect(store.active).toEqual(first);
  numbers['settled'] = 10n;
  expect(await identify(next)).toBeNull();
  expect(store.active).toEqual(next);
});

test('fault 8: a vault continues its predecessor; a different predecessor is refused', async () => {
  store.active = first;
  store.counted = [counted];
  const next = { ...first, spotVault: addressOf(13) };
  predecessors.set(next.spotVault, addressOf(99));
  expect(await identify(next)).toContain(`counted the contract ${first.spotVault}`);
  predecessors.set(next.spotVault, first.spotVault);
  expect(await identify(next)).toBeNull();
});
