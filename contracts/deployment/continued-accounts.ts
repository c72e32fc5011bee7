import {
  type Abi,
  ContractFunctionExecutionError,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { contractAbi } from './deployment-abi.ts';

// Whose numbers a contract holds, read from all of its logs, and what these numbers are there and
// in its successor at one block.

type Contracts = DeploymentManifest['contracts'];

/** A number of an account in a contract and in its successor. */
export interface Continued {
  readonly account: Hex;
  readonly what: string;
  readonly before: bigint;
  readonly after: bigint;
}

const routerEvents = parseAbi([
  'event RewardSettled(address indexed account, uint256 settledTotal)',
  'event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce)',
  'event HoldChanged(address indexed account, uint256 previousAmount, uint256 newAmount)',
]);
const vaultEvents = parseAbi([
  'event Deposited(address indexed account, address indexed token, uint256 amount, uint256 number)',
  'event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce)',
  'event ReleaseQueued(uint256 indexed id, address indexed account, address indexed token, uint256 amount, uint256 nonce, uint256 payableAt)',
]);
const blocksAtOnce = 5_000n;
const accountsAtOnce = 25;

const numbers = {
  rewardRouter: ['settled', 'claimed', 'nonces', 'held'],
  spotVault: ['releaseNonce', 'depositCount'],
} as const;
const abis: Readonly<Record<keyof typeof numbers, Abi>> = {
  rewardRouter: contractAbi('RewardRouter'),
  spotVault: contractAbi('SpotVault'),
};

/** Every account that the contract's logs name. */
async function listAccounts(
  client: PublicClient,
  kind: keyof typeof numbers,
  { address, startBlock }: Contracts[keyof typeof numbers],
): Promise<readonly Hex[]> {
  const events = kind === 'rewardRouter' ? routerEvents : vaultEvents;
  const last = await client.getBlockNumber();
  const accounts = new Set<Hex>();
  for (let from = BigInt(startBlock); from <= last; from += blocksAtOnce) {
    const to = from + blocksAtOnce - 1n;
    const range = { fromBlock: from, toBlock: to < last ? to : last };
    const logs = await client.getLogs({ address: address as Hex, events, ...range });
    for (const { args } of logs) if (args.account !== undefined) accounts.add(args.account);
  }
  return [...accounts].sort();
}

/** The numbers of all accounts in a contract and in its successor, at the present block. */
export async function readContinued(
  client: PublicClient,
  kind: keyof typeof numbers,
  old: Contracts[keyof typeof numbers],
  successor: Hex,
): Promise<readonly Continued[]> {
  const accounts = await listAccounts(client, kind, old);
  const blockNumber = await client.getBlockNumber();
  const names = await namesOf(client, kind, old.address as Hex);
  const read = async (address: Hex, functionName: string, account: Hex) => {
    const view = { address, abi: abis[kind], functionName, args: [account], blockNumber };
    return (await client.readContract(view)) as bigint;
  };
  const all: Continued[] = [];
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    const pairs = accounts
      .slice(start, start + accountsAtOnce)
      .flatMap((account) => names.map((what) => ({ account, what })));
    const found = pairs.map(async ({ account, what }) => ({
      account,
      what,
      before: await read(old.address as Hex, what, account),
      after: await read(successor, what, account),
    }));
    all.push(...(await Promise.all(found)));
  }
  return all;
}

// A router of the first version holds nothing back.
async function namesOf(
  client: PublicClient,
  kind: keyof typeof numbers,
  address: Hex,
): Promise<readonly string[]> {
  if (kind === 'spotVault') return numbers[kind];
  const view = { address, abi: abis[kind], functionName: 'totalHeld' };
  const isFirstVersion = await client.readContract(view).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ContractFunctionExecutionError) return true;
      throw error;
    },
  );
  return isFirstVersion ? numbers[kind].filter((name) => name !== 'held') : numbers[kind];
}
