import { type DeploymentManifest, loadManifest } from './deployment-manifest.ts';
import type { Environment } from './env.ts';
import { findSignerProblems, type SignerConfig, signerConfig } from './signer-config.ts';
import { type NetworkKind, networkKind } from './test-networks.ts';

export interface ChainConfig {
  /** Null: a local development chain is started. */
  readonly rpcUrl: string | null;
  readonly chainId: number;
  /** Whether money there is real; test credits are for test networks only. */
  readonly kind: NetworkKind;
  /** What is deployed there; null: the settings name the contracts, and tokens themselves. */
  readonly deployment: DeploymentManifest | null;
  readonly signers: SignerConfig;
  readonly rewardRouterAddress: string | null;
  readonly referralRebateAddress: string | null;
  readonly spotVaultAddress: string | null;
  readonly confirmations: number;
  /** Wallets of the people who approve together; in lowercase, each once. */
  readonly approvers: readonly string[];
  readonly referralDomainName: string;
  readonly vaultDomainName: string;
}

/** The manifest that the settings name, and what is wrong with it. */
export interface ReadDeployment {
  readonly deployment: DeploymentManifest | null;
  readonly problems: readonly string[];
}

const developmentChainId = 31_337;
const usualConfirmations = 12;

const addressSettings = {
  rewardRouter: 'REWARD_ROUTER_ADDRESS',
  referralRebate: 'REFERRAL_REBATE_ADDRESS',
  spotVault: 'SPOT_VAULT_ADDRESS',
} as const;

export function readDeployment({ CHAIN_DEPLOYMENT }: Environment): ReadDeployment {
  if (CHAIN_DEPLOYMENT === null) return { deployment: null, problems: [] };
  const parsed = loadManifest(CHAIN_DEPLOYMENT);
  if ('manifest' in parsed) return { deployment: parsed.manifest, problems: [] };
  const problems = parsed.problems.map((problem) => `CHAIN_DEPLOYMENT ${problem}`);
  return { deployment: null, problems };
}

/** What the settings of the chain contradict, one sentence each. */
export function findChainProblems(
  environment: Environment,
  { deployment, problems: unreadable }: ReadDeployment,
): readonly string[] {
  const problems = [...unreadable];
  const { CHAIN_RPC_URL, CHAIN_ID, CHAIN_DEPLOYMENT, NODE_ENV, TESTNET_ONLY } = environment;
  for (const [contract, name] of Object.entries(addressSettings)) {
    const given = environment[name];
    const deployed = deployment?.contracts[contract as keyof typeof addressSettings].address;
    if (given === null && CHAIN_RPC_URL !== null && CHAIN_DEPLOYMENT === null) {
      // Production has named it already.
      if (NODE_ENV !== 'production') problems.push(`${name} is required with CHAIN_RPC_URL`);
    }
    if (given !== null && deployed !== undefined && given.toLowerCase() !== deployed) {
      problems.push(`${name} is not the one of CHAIN_DEPLOYMENT`);
    }
  }
  if (deployment !== null && CHAIN_ID !== null && CHAIN_ID !== deployment.chainId) {
    problems.push(`CHAIN_ID is ${CHAIN_ID}, CHAIN_DEPLOYMENT is of ${deployment.chainId}`);
  }
  const chainId = deployment?.chainId ?? CHAIN_ID ?? developmentChainId;
  const kind = deployment?.kind ?? networkKind(chainId);
  if (kind === 'main' && CHAIN_RPC_URL !== null && CHAIN_DEPLOYMENT === null) {
    problems.push(`CHAIN_DEPLOYMENT is required on chain id ${chainId}: its money is real`);
  }
  const approvers = environment.APPROVERS?.length ?? 0;
  if (approvers === 1) problems.push('APPROVERS must name at least two wallets');
  if (approvers === 0 && kind === 'main' && CHAIN_RPC_URL !== null) {
    problems.push(`APPROVERS is required on chain id ${chainId}: two people clear a halt`);
  }
  if (TESTNET_ONLY === true && kind === 'main') {
    problems.push(`TESTNET_ONLY must not be true on chain id ${chainId}: no test network`);
  }
  return [...problems, ...findSignerProblems(environment, kind)];
}

export function chainConfig(
  environment: Environment,
  signerPrivateKey: string,
  deployment: DeploymentManifest | null,
): ChainConfig {
  const isDevelopmentChain = environment.CHAIN_RPC_URL === null;
  const chainId = deployment?.chainId ?? environment.CHAIN_ID ?? developmentChainId;
  const { contracts } = deployment ?? {};
  return {
    rpcUrl: environment.CHAIN_RPC_URL,
    chainId,
    kind: deployment?.kind ?? networkKind(chainId),
    deployment,
    signers: signerConfig(environment, signerPrivateKey),
    rewardRouterAddress: contracts?.rewardRouter.address ?? environment.REWARD_ROUTER_ADDRESS,
    referralRebateAddress: contracts?.referralRebate.address ?? environment.REFERRAL_REBATE_ADDRESS,
    spotVaultAddress: contracts?.spotVault.address ?? environment.SPOT_VAULT_ADDRESS,
    confirmations: environment.CHAIN_CONFIRMATIONS ?? (isDevelopmentChain ? 0 : usualConfirmations),
    approvers: environment.APPROVERS ?? [],
    referralDomainName: environment.EIP712_REFERRAL_DOMAIN_NAME ?? 'ReferralRewardRouter',
    vaultDomainName: environment.EIP712_VAULT_DOMAIN_NAME ?? 'SpotVault',
  };
}
