import { type Abi, type Hex, keccak256, type PublicClient, parseUnits, zeroHash } from 'viem';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import type { DeploymentManifest, ManifestAsset } from '../../src/config/deployment-manifest.ts';
import {
  findExecutorFaults,
  findProofFaults,
  findStandingFaults,
  findTokenFaults,
  isOwnTimelock,
} from './check-facts.ts';
import { committedCode, guardedAbi, timelockAbi } from './deployment-abi.ts';

// Whether a chain has what a manifest says: this build's code, these roles and limits, an owner
// that waits, and proofs. Each difference is a sentence.

const names = {
  rewardRouter: 'RewardRouter',
  referralRebate: 'ReferralRebate',
  spotVault: 'SpotVault',
} as const;
type Kind = keyof typeof names;

export interface CheckTerms {
  readonly manifest: DeploymentManifest;
  /** Who must be left with no role; null: not asked. */
  readonly deployer: Hex | null;
}

/** What differs; empty where all is as the manifest says. */
export async function checkDeployment(
  client: PublicClient,
  terms: CheckTerms,
): Promise<readonly string[]> {
  const chainId = await client.getChainId();
  const { manifest } = terms;
  if (chainId !== manifest.chainId) return [`the node is of chain ${chainId}`];
  const problems: string[] = [];
  for (const kind of Object.keys(names) as Kind[]) {
    const fault = await findCodeFault(client, manifest, kind);
    if (fault !== null) problems.push(fault);
  }
  // Without the code nothing else has a meaning.
  if (problems.length > 0) return problems;
  problems.push(...(await findRoleFaults(client, terms)));
  problems.push(...(await findStandingFaults(client, manifest)));
  for (const asset of manifest.assets) {
    problems.push(...(await findTokenFaults(client, asset)));
    problems.push(...(await findLimitFaults(client, manifest, asset)));
  }
  problems.push(...(await findProofFaults(client, manifest)));
  return problems;
}

async function findCodeFault(
  client: PublicClient,
  { contracts }: DeploymentManifest,
  kind: Kind,
): Promise<string | null> {
  const { address, codeHash } = contracts[kind];
  const code = await client.getCode({ address: address as Hex });
  if (code === undefined) return `${kind}: no contract at ${address}`;
  if (codeHash !== null && keccak256(code) !== codeHash) return `${kind}: codeHash differs`;
  const { runtime, immutables } = committedCode(names[kind]);
  if (code.length !== runtime.length) return `${kind}: not the code of this build`;
  const masked = Buffer.from(code.slice(2), 'hex');
  for (const { start, length } of immutables) masked.fill(0, start, start + length);
  return `0x${masked.toString('hex')}` === runtime ? null : `${kind}: not the code of this build`;
}

async function findRoleFaults(
  client: PublicClient,
  { manifest, deployer }: CheckTerms,
): Promise<readonly string[]> {
  const { roles, contracts } = manifest;
  if (roles === undefined) return ['the manifest has no roles'];
  const problems: string[] = [];
  const expect = async (kind: Kind, functionName: string, wanted: string) => {
    const found = await read(client, { address: contracts[kind].address, functionName });
    if (String(found).toLowerCase() === wanted.toLowerCase()) return;
    problems.push(`${kind}: ${functionName} is ${String(found)}, not ${wanted}`);
  };
  const operators = {
    rewardRouter: roles.rewardSigner,
    referralRebate: roles.settler,
    spotVault: roles.vaultSigner,
  };
  for (const kind of Object.keys(names) as Kind[]) {
    await expect(kind, 'owner', roles.owner);
    await expect(kind, 'council', roles.council);
    await expect(kind, 'operator', operators[kind]);
    const { address } = contracts[kind];
    for (const [account, guards] of [[roles.guardian, true], ...formerGuards(deployer)] as const) {
      const found = await read(client, { address, functionName: 'isGuardian', args: [account] });
      if (found !== guards) problems.push(`${kind}: ${account} is ${guards ? 'no' : 'a'} guardian`);
    }
  }
  await expect('rewardRouter', 'settler', roles.settler);
  await expect('rewardRouter', 'coldWallet', roles.coldWallet);
  await expect('spotVault', 'coldWallet', roles.coldWallet);
  problems.push(...(await findTimelockFaults(client, manifest, deployer)));
  return problems;
}

function formerGuards(deployer: Hex | null): readonly (readonly [Hex, boolean])[] {
  return deployer === null ? [] : [[deployer, false]];
}

const proposer = keccak256(new TextEncoder().encode('PROPOSER_ROLE'));
const canceller = keccak256(new TextEncoder().encode('CANCELLER_ROLE'));
const mainDelaySeconds = 172_800n;
/** In which all of `W` comes back, as the deployment sets it. */
const windowSeconds = 86_400;

async function findTimelockFaults(
  client: PublicClient,
  { roles, kind }: DeploymentManifest,
  deployer: Hex | null,
): Promise<readonly string[]> {
  if (roles === undefined) return [];
  const timelock = { address: roles.owner as Hex, abi: timelockAbi } as const;
  if ((await client.getCode({ address: timelock.address })) === undefined) {
    // A test network may have a key there.
    return kind === 'main' ? ['the owner is no timelock'] : [];
  }
  // Without the code nothing else has a meaning.
  if (!(await isOwnTimelock(client, timelock.address))) {
    return ['timelock: not the code of this build'];
  }
  const problems = [...(await findExecutorFaults(client, timelock.address))];
  const delay = await client.readContract({ ...timelock, functionName: 'getMinDelay' });
  if (kind === 'main' && delay < mainDelaySeconds) problems.push(`timelock: waits only ${delay} s`);
  const has = (role: Hex, account: string) =>
    client.readContract({ ...timelock, functionName: 'hasRole', args: [role, account as Hex] });
  for (const account of new Set([roles.council, roles.coldWallet])) {
    if (!(await has(proposer, account))) problems.push(`timelock: ${account} cannot propose`);
    if (!(await has(canceller, account))) problems.push(`timelock: ${account} cannot cancel`);
  }
  for (const role of [zeroHash, proposer, canceller]) {
    if (deployer !== null && (await has(role, deployer))) {
      problems.push('timelock: the deployer has a role');
    }
  }
  return problems;
}

async function findLimitFaults(
  client: PublicClient,
  { contracts }: DeploymentManifest,
  { symbol, address, decimals, limit }: ManifestAsset,
): Promise<readonly string[]> {
  const vault = { address: contracts.spotVault.address as Hex, abi: spotVaultAbi } as const;
  const token = address as Hex;
  const isSupported = await client.readContract({
    ...vault,
    functionName: 'isSupported',
    args: [token],
  });
  if (!isSupported) return [`spotVault: does not take ${symbol}`];
  if (limit === undefined) return [];
  const found = await client.readContract({ ...vault, functionName: 'limits', args: [token] });
  const raw = (amount: string) => parseUnits(amount, decimals);
  const wanted = {
    instantMax: raw(limit.I),
    windowMax: raw(limit.W),
    floor: raw(limit.F),
    highMark: raw(limit.H),
    period: windowSeconds,
    delay: limit.D,
  };
  return (Object.keys(wanted) as (keyof typeof wanted)[])
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `spotVault: ${name} of ${symbol} is ${found[name]}, not ${wanted[name]}`);
}

interface View {
  readonly address: string;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

function read(client: PublicClient, { address, functionName, args = [] }: View): Promise<unknown> {
  const abi: Abi = guardedAbi;
  return client.readContract({ address: address as Hex, abi, functionName, args });
}
