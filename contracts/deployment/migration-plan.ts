import {
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  type PublicClient,
  toHex,
  zeroHash,
} from 'viem';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { contractAbi, guardedAbi, timelockAbi } from './deployment-abi.ts';
import {
  create,
  type DeploymentPlan,
  type DeploymentStep,
  handOver,
  limitSettlements,
  limitTokens,
} from './plan.ts';

// What takes the place of a router and a vault: transactions of one account under fixed nonces, so
// that the successors' addresses are known before the owner's calls are proposed.

export type Replaceable = 'rewardRouter' | 'spotVault';

/** A list of calls that the timelock makes in one transaction. */
export interface OwnerBatch {
  readonly id: Hex;
  readonly schedule: Hex;
  readonly execute: Hex;
}

export interface MigrationPlan extends DeploymentPlan {
  readonly replaced: readonly Replaceable[];
  /** How many of the steps are possible while the old contracts work. */
  readonly early: number;
  /** Ends the old contracts, and takes over the new router. */
  readonly ending: readonly OwnerCall[];
  /** Takes over the new vault; empty if the vault stays. */
  readonly taking: readonly OwnerCall[];
}

export interface OwnerCall {
  readonly to: Hex;
  readonly data: Hex;
}

export interface MigrationTerms {
  readonly from: DeploymentManifest;
  readonly replaced: readonly Replaceable[];
  readonly deployer: Hex;
  readonly firstNonce: number;
}

/** What the successors take over of the contracts that they replace. */
interface Inherited {
  readonly rewardName: string;
  readonly vaultName: string;
  readonly usdt: Hex;
  readonly settlementMax: bigint;
  readonly settlementPeriod: number;
}

const domainAbi = contractAbi('RewardRouter');

/** @throws Error if the contracts are not of the version that can be retired. */
export async function planMigration(
  client: PublicClient,
  terms: MigrationTerms,
): Promise<MigrationPlan> {
  const inherited = await loadInherited(client, terms.from);
  return layOut(terms, inherited);
}

async function loadInherited(client: PublicClient, { contracts }: DeploymentManifest) {
  const router = { address: contracts.rewardRouter.address as Hex, abi: rewardRouterAbi } as const;
  const nameOf = async (address: string) => {
    const read = { address: address as Hex, abi: domainAbi, functionName: 'eip712Domain' };
    const [, name] = (await client.readContract(read)) as readonly [Hex, string];
    return name;
  };
  const settings = { address: router.address, abi: domainAbi } as const;
  return {
    rewardName: await nameOf(contracts.rewardRouter.address),
    vaultName: await nameOf(contracts.spotVault.address),
    usdt: await client.readContract({ ...router, functionName: 'usdt' }),
    settlementMax: (await client.readContract({
      ...settings,
      functionName: 'settlementMax',
    })) as bigint,
    settlementPeriod: (await client.readContract({
      ...settings,
      functionName: 'settlementPeriod',
    })) as number,
  };
}

function layOut(terms: MigrationTerms, inherited: Inherited): MigrationPlan {
  const { from, replaced, deployer, firstNonce } = terms;
  const { roles, contracts, assets, chainId } = from;
  if (roles === undefined) throw new Error('the manifest has no roles');
  const timelock = roles.owner as Hex;
  const rolesOf = (operator: string) => ({
    owner: deployer,
    council: roles.council,
    guardian: roles.guardian,
    operator,
  });
  const steps: DeploymentStep[] = [];
  const nextAddress = () =>
    getContractAddress({ from: deployer, nonce: BigInt(firstNonce + steps.length) });
  let [router, vault] = [contracts.rewardRouter.address as Hex, contracts.spotVault.address as Hex];
  if (replaced.includes('rewardRouter')) {
    const old = router;
    router = nextAddress();
    const { usdt, rewardName, settlementMax, settlementPeriod } = inherited;
    const holders = [rolesOf(roles.rewardSigner), roles.settler, roles.coldWallet];
    const terms = [usdt, ...holders, old, rewardName];
    steps.push(create('RewardRouter', router, rewardRouterAbi, terms));
    steps.push(limitSettlements(router, settlementMax, settlementPeriod));
    steps.push(handOver('RewardRouter', router, timelock));
  }
  const early = steps.length;
  if (replaced.includes('spotVault')) {
    const old = vault;
    vault = nextAddress();
    const tokens = assets.map(({ address }) => address);
    const holders = [rolesOf(roles.vaultSigner), roles.coldWallet];
    const terms = [tokens, ...holders, old, inherited.vaultName];
    steps.push(create('SpotVault', vault, spotVaultAbi, terms));
    steps.push(...limitTokens(assets, vault));
    steps.push(handOver('SpotVault', vault, timelock));
  }
  const register = contracts.referralRebate.address as Hex;
  const after = { rewardRouter: router, referralRebate: register, spotVault: vault };
  const ending = endingCalls(from, replaced, router);
  const accept = encodeFunctionData({ abi: guardedAbi, functionName: 'acceptOwnership' });
  const taking = replaced.includes('spotVault') ? [{ to: vault, data: accept }] : [];
  const plan = { deployer, firstNonce, chainId, steps, timelock };
  const whole = { ...plan, ending, taking };
  const hash = keccak256(toHex(JSON.stringify(whole)));
  return { ...whole, contracts: after, replaced, early, hash };
}

function endingCalls(
  { contracts }: DeploymentManifest,
  replaced: readonly Replaceable[],
  router: Hex,
): readonly OwnerCall[] {
  const abi = contractAbi('RewardRouter');
  const calls: OwnerCall[] = [];
  if (replaced.includes('rewardRouter')) {
    const accept = encodeFunctionData({ abi: guardedAbi, functionName: 'acceptOwnership' });
    calls.push({ to: router, data: accept });
    const register = contracts.referralRebate.address as Hex;
    const registerAbi = contractAbi('ReferralRebate');
    const name = 'setRewardRouter';
    const args = [router];
    calls.push({
      to: register,
      data: encodeFunctionData({ abi: registerAbi, functionName: name, args }),
    });
    const data = encodeFunctionData({ abi, functionName: 'retire', args });
    calls.push({ to: contracts.rewardRouter.address as Hex, data });
  }
  if (replaced.includes('spotVault')) {
    const data = encodeFunctionData({ abi: contractAbi('SpotVault'), functionName: 'retire' });
    calls.push({ to: contracts.spotVault.address as Hex, data });
  }
  return calls;
}

/** The calls as the timelock takes them; one salt for each plan, so that none can collide. */
export async function batchOf(
  client: PublicClient,
  { timelock, hash }: MigrationPlan,
  calls: readonly OwnerCall[],
): Promise<OwnerBatch> {
  const targets = calls.map(({ to }) => to);
  const values = calls.map(() => 0n);
  const payloads = calls.map(({ data }) => data);
  const batch = [targets, values, payloads, zeroHash, hash] as const;
  const contract = { address: timelock, abi: timelockAbi } as const;
  const delay = await client.readContract({ ...contract, functionName: 'getMinDelay' });
  const abi = timelockAbi;
  return {
    id: await client.readContract({
      ...contract,
      functionName: 'hashOperationBatch',
      args: batch,
    }),
    schedule: encodeFunctionData({ abi, functionName: 'scheduleBatch', args: [...batch, delay] }),
    execute: encodeFunctionData({ abi, functionName: 'executeBatch', args: batch }),
  };
}
