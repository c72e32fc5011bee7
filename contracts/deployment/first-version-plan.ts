import {
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  type PublicClient,
  toHex,
  zeroAddress,
} from 'viem';
import { referralRebateAbi } from '../../src/chain/abi/referral-rebate-abi.ts';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { spotVaultAbi } from '../../src/chain/abi/spot-vault-abi.ts';
import type { DeploymentManifest } from '../../src/config/deployment-manifest.ts';
import { contractAbi, guardedAbi } from './deployment-abi.ts';
import type { MigrationPlan } from './migration-plan.ts';
import {
  create,
  type DeploymentConfig,
  type DeploymentStep,
  handOver,
  limitSettlements,
  limitTokens,
  settlementMaxOf,
  tierRebates,
  windowSeconds,
} from './plan.ts';

// The replacements of the first version's contracts: a timelock, a router and a vault that continue
// the numbers, and a new register, since the router of that version's register cannot be changed.

export interface FirstVersionTerms {
  readonly from: DeploymentManifest;
  readonly config: DeploymentConfig;
  readonly deployer: Hex;
  readonly firstNonce: number;
}

/** The steps that one account sends under fixed nonces; the vault's come last. */
export function planFirstVersionMigration(terms: FirstVersionTerms): MigrationPlan {
  const { from, config, deployer, firstNonce } = terms;
  const { manifest } = config;
  const { roles, assets, chainId } = manifest;
  if (roles === undefined) throw new Error('the roles are in the checked configuration');
  const steps: DeploymentStep[] = [];
  const nextAddress = () =>
    getContractAddress({ from: deployer, nonce: BigInt(firstNonce + steps.length) });
  const rolesOf = (operator: string) => ({
    owner: deployer,
    council: roles.council,
    guardian: roles.guardian,
    operator,
  });
  const timelock = nextAddress();
  const proposers = [...new Set([roles.council, roles.coldWallet])];
  const delayed = [config.timelockSeconds, proposers, [zeroAddress]];
  steps.push(create('Timelock', timelock, contractAbi('Timelock'), delayed));
  const router = nextAddress();
  steps.push(
    create('RewardRouter', router, rewardRouterAbi, [
      assets.find(({ symbol }) => symbol === 'USDT')?.address,
      rolesOf(roles.rewardSigner),
      roles.settler,
      roles.coldWallet,
      from.contracts.rewardRouter.address,
      config.rewardDomainName ?? 'ReferralRewardRouter',
    ]),
  );
  const register = nextAddress();
  const registerTerms = [router, rolesOf(roles.settler), tierRebates];
  steps.push(create('ReferralRebate', register, referralRebateAbi, registerTerms));
  steps.push(limitSettlements(router, settlementMaxOf(config), windowSeconds));
  steps.push(handOver('RewardRouter', router, timelock));
  steps.push(handOver('ReferralRebate', register, timelock));
  const early = steps.length;
  const vault = nextAddress();
  steps.push(
    create('SpotVault', vault, spotVaultAbi, [
      assets.map(({ address }) => address),
      rolesOf(roles.vaultSigner),
      roles.coldWallet,
      from.contracts.spotVault.address,
      config.vaultDomainName ?? 'SpotVault',
    ]),
  );
  steps.push(...limitTokens(assets, vault));
  steps.push(handOver('SpotVault', vault, timelock));
  const data = encodeFunctionData({ abi: guardedAbi, functionName: 'acceptOwnership' });
  const ending = [router, register].map((to) => ({ to, data }));
  const taking = [{ to: vault, data }];
  const whole = { deployer, firstNonce, chainId, steps, timelock, ending, taking };
  return {
    ...whole,
    contracts: { rewardRouter: router, referralRebate: register, spotVault: vault },
    replaced: ['rewardRouter', 'spotVault'],
    early,
    hash: keccak256(toHex(JSON.stringify(whole))),
  };
}

/**
 * Nothing may stay behind in the old contracts, and claims continue in the same token.
 * @throws Error that names the token
 */
export async function requireSameTokens(
  client: PublicClient,
  { contracts }: DeploymentManifest,
  { manifest: { assets } }: DeploymentConfig,
): Promise<void> {
  const known = assets.map(({ address }) => address);
  const vault = { address: contracts.spotVault.address as Hex, abi: spotVaultAbi } as const;
  for (const token of await client.readContract({ ...vault, functionName: 'supportedTokens' })) {
    if (known.includes(token.toLowerCase())) continue;
    throw new Error(`the old vault takes ${token}, which the configuration does not name`);
  }
  const address = contracts.rewardRouter.address as Hex;
  const usdt = await client.readContract({ address, abi: rewardRouterAbi, functionName: 'usdt' });
  const named = assets.find(({ symbol }) => symbol === 'USDT')?.address;
  if (usdt.toLowerCase() === named) return;
  throw new Error(`the old router pays in ${usdt}, not in the USDT of the configuration`);
}
