import {
  type Abi,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint128,
  type PublicClient,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { DeploymentManifest, ManifestAsset } from '../../src/config/deployment-manifest.ts';
import { committedCode, contractAbi, guardedAbi, timelockAbi } from './deployment-abi.ts';

// What a manifest takes for granted of a chain, beside roles and limits.

type Kind = keyof DeploymentManifest['contracts'];
const kinds: readonly Kind[] = ['rewardRouter', 'referralRebate', 'spotVault'];
const routerAbi = contractAbi('RewardRouter');

async function readAs(client: PublicClient, abi: Abi, address: string, functionName: string) {
  const view = { address: address as Hex, abi, functionName };
  return String(await client.readContract(view)).toLowerCase();
}

/** Whether each contract works, goes on with the one that it should, and passes to nobody else. */
export async function findStandingFaults(
  client: PublicClient,
  { contracts, roles, kind: network }: DeploymentManifest,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const kind of kinds) {
    const { address, predecessor } = contracts[kind];
    const pending = await readAs(client, guardedAbi, address, 'pendingOwner');
    if (pending !== zeroAddress && pending !== roles?.owner) {
      problems.push(`${kind}: ${pending} may take it over`);
    }
    if ((await readAs(client, routerAbi, address, 'retired')) === 'true') {
      problems.push(`${kind}: retired`);
    }
    if (kind === 'referralRebate') continue;
    const found = await readAs(client, routerAbi, address, 'predecessor');
    const wanted = predecessor ?? zeroAddress;
    if (found !== wanted) problems.push(`${kind}: predecessor is ${found}, not ${wanted}`);
  }
  const { rewardRouter, referralRebate } = contracts;
  const registerAbi = contractAbi('ReferralRebate');
  const asked = await readAs(client, registerAbi, referralRebate.address, 'rewardRouter');
  if (asked !== rewardRouter.address) {
    problems.push(`referralRebate: rewardRouter is ${asked}, not ${rewardRouter.address}`);
  }
  const most = await readAs(client, routerAbi, rewardRouter.address, 'settlementMax');
  if (network === 'main' && most === String(maxUint128)) {
    problems.push('rewardRouter: settlements have no limit');
  }
  return problems;
}

const executor = keccak256(new TextEncoder().encode('EXECUTOR_ROLE'));

/** Whether the owner is the timelock of this build. */
export async function isOwnTimelock(client: PublicClient, timelock: Hex): Promise<boolean> {
  const { runtime } = committedCode('Timelock');
  return (await client.getCode({ address: timelock })) === runtime;
}

/** Whether anybody makes the timelock's calls once their delay is over. */
export async function findExecutorFaults(
  client: PublicClient,
  timelock: Hex,
): Promise<readonly string[]> {
  const isOpen = await client.readContract({
    address: timelock,
    abi: timelockAbi,
    functionName: 'hasRole',
    args: [executor, zeroAddress],
  });
  return isOpen ? [] : ['timelock: not everybody may execute'];
}

/** Whether the token has the decimals that the manifest reckons with. */
export async function findTokenFaults(
  client: PublicClient,
  { symbol, address, decimals }: ManifestAsset,
): Promise<readonly string[]> {
  const found = await client.readContract({
    address: address as Hex,
    abi: erc20Abi,
    functionName: 'decimals',
  });
  return found === decimals ? [] : [`${symbol}: has ${found} decimals, not ${decimals}`];
}

const hourSeconds = 3_600n;

/** Whether the node proves slots of the vault in the final block and in one an hour older. */
export async function findProofFaults(
  client: PublicClient,
  { contracts, finality, proofs }: DeploymentManifest,
): Promise<readonly string[]> {
  if (proofs !== 'required') return [];
  const blockTag = finality === 'confirmations' ? 'latest' : finality;
  const last = await client.getBlock({ blockTag });
  const { address, startBlock } = contracts.spotVault;
  const older = await findBlockBefore(client, last, BigInt(startBlock));
  const problems: string[] = [];
  for (const blockNumber of new Set([last.number, older])) {
    const proof = { address: address as Hex, storageKeys: [zeroHash], blockNumber };
    const { accountProof } = await client.getProof(proof).catch(() => ({ accountProof: [] }));
    if (accountProof.length === 0) problems.push(`the node proves nothing in block ${blockNumber}`);
  }
  return problems;
}

/** The last block that is an hour older, but none before the vault is there. */
async function findBlockBefore(
  client: PublicClient,
  last: { readonly number: bigint; readonly timestamp: bigint },
  first: bigint,
): Promise<bigint> {
  let [low, high] = [first < last.number ? first : last.number, last.number];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    const { timestamp } = await client.getBlock({ blockNumber: middle });
    if (timestamp + hourSeconds <= last.timestamp) low = middle;
    else high = middle - 1n;
  }
  return low;
}
