import { type DeploymentManifest, loadManifest } from './deployment-manifest.ts';
import type { Environment } from './env.ts';
import { findSignerProblems, type SignerConfig, signerConfig } from './signer-config.ts';
import { type NetworkKind, networkKind } from './test-networks.ts';

export interface ChainConfig {
  /** Null: a local development chain is started. */
  readonly rpcUrl: string | null;
  /** All providers; one or none if a single provider is trusted. */
  readonly rpcUrls: readonly string[];
  /** How many providers have to agree. */
  readonly quorum: number;
  readonly chainId: number;
  /** The base of an explorer's links; null: pages show none. */
  readonly explorerUrl: string | null;
  /** Whether its money is real; test credits are for test networks only. */
  readonly kind: NetworkKind;
  /**
   * What is deployed there. Null: the settings name the contracts, and tokens describe themselves.
   */
  readonly deployment: DeploymentManifest | null;
  /** The file that it is read from. */
  readonly deploymentPath: string | null;
  readonly signers: SignerConfig;
  readonly rewardRouterAddress: string | null;
  readonly referralRebateAddress: string | null;
  readonly spotVaultAddress: string | null;
  readonly confirmations: number;
  /** Wallets of the people who approve together; in lowercase, without duplicates. */
  readonly approvers: readonly string[];
  /** Whether two of them review withdrawals that match the review rules. */
  readonly areWithdrawalsReviewed: boolean;
  readonly referralDomainName: string;
  readonly vaultDomainName: string;
}

/** The manifest that the settings name, and its problems. */
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

/** Contradictions between the settings of the chain, one sentence each. */
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
      // Already reported by the production checks.
      if (NODE_ENV !== 'production') problems.push(`${name} is required with CHAIN_RPC_URL`);
    }
    if (given !== null && deployed !== undefined && given.toLowerCase() !== deployed) {
      problems.push(`${name} differs from CHAIN_DEPLOYMENT`);
    }
  }
  if (deployment !== null && CHAIN_ID !== null && CHAIN_ID !== deployment.chainId) {
    problems.push(`CHAIN_ID is ${CHAIN_ID}, CHAIN_DEPLOYMENT is for ${deployment.chainId}`);
  }
  const chainId = deployment?.chainId ?? CHAIN_ID ?? developmentChainId;
  const kind = deployment?.kind ?? networkKind(chainId);
  if (kind === 'main' && CHAIN_RPC_URL !== null && CHAIN_DEPLOYMENT === null) {
    problems.push(`CHAIN_DEPLOYMENT is required on chain id ${chainId}, where money is real`);
  }
  if (kind === 'main' && CHAIN_RPC_URL !== null && NODE_ENV !== 'production') {
    problems.push(`NODE_ENV must be production on chain id ${chainId}, where money is real`);
  }
  if (kind === 'main' && environment.CHAIN_EXPLORER_URL?.startsWith('http:') === true) {
    problems.push('CHAIN_EXPLORER_URL must be https:// on a main network');
  }
  const approvers = environment.APPROVERS?.length ?? 0;
  if (approvers === 1) problems.push('APPROVERS must name at least two wallets');
  problems.push(...findProviderProblems(environment, { kind, chainId }));
  // Every block may still leave the chain, and what it credited may be withdrawn by then.
  const isAnyBlockCounted = environment.CHAIN_CONFIRMATIONS === 0;
  if (isAnyBlockCounted && kind === 'main' && deployment?.finality === 'confirmations') {
    problems.push('CHAIN_CONFIRMATIONS must not be 0 where the manifest names no block tag');
  }
  if (approvers === 0 && kind === 'main' && CHAIN_RPC_URL !== null) {
    problems.push(`APPROVERS is required on chain id ${chainId}: two people clear a halt`);
  }
  if (TESTNET_ONLY === true && kind === 'main') {
    problems.push(`TESTNET_ONLY must not be true on chain id ${chainId}: no test network`);
  }
  problems.push(...findReviewProblems(environment, deployment, kind));
  return [...problems, ...findSignerProblems(environment, kind)];
}

/**
 * The settings with the first of several providers as CHAIN_RPC_URL, so that a chain counts as set.
 */
export function withFirstProvider(environment: Environment): Environment {
  const [first = null] = environment.CHAIN_RPC_URLS ?? [];
  return first === null ? environment : { ...environment, CHAIN_RPC_URL: first };
}

function rpcUrlsOf({ CHAIN_RPC_URL, CHAIN_RPC_URLS }: Environment): readonly string[] {
  return CHAIN_RPC_URLS ?? (CHAIN_RPC_URL === null ? [] : [CHAIN_RPC_URL]);
}

function* findProviderProblems(
  environment: Environment,
  { kind, chainId }: { readonly kind: NetworkKind; readonly chainId: number },
): Iterable<string> {
  const { CHAIN_RPC_URL, CHAIN_RPC_URLS, CHAIN_QUORUM } = environment;
  const { length } = rpcUrlsOf(environment);
  if (CHAIN_RPC_URLS !== null && CHAIN_RPC_URL !== CHAIN_RPC_URLS[0]) {
    yield 'CHAIN_RPC_URL and CHAIN_RPC_URLS must not both be set';
  }
  if (kind === 'main' && length === 1) {
    yield `CHAIN_RPC_URLS is required on chain id ${chainId}: at least two providers`;
  }
  const hosts = new Set(rpcUrlsOf(environment).map((each) => new URL(each).hostname));
  if (kind === 'main' && hosts.size < length) {
    yield `CHAIN_RPC_URLS must name different hosts on chain id ${chainId}: a port is no provider`;
  }
  if (CHAIN_QUORUM === null) return;
  // Otherwise two halves could agree on two chains.
  if (CHAIN_QUORUM > length || CHAIN_QUORUM * 2 <= length) {
    yield `CHAIN_QUORUM must be more than half of the ${length} providers, and no more than all`;
  }
}

function* findReviewProblems(
  { WITHDRAWAL_REVIEW, APPROVERS, CHAIN_RPC_URL }: Environment,
  deployment: DeploymentManifest | null,
  kind: NetworkKind,
): Iterable<string> {
  if (WITHDRAWAL_REVIEW === false && kind === 'main' && CHAIN_RPC_URL !== null) {
    yield 'WITHDRAWAL_REVIEW must not be false on a main network';
  }
  if (WITHDRAWAL_REVIEW !== true) return;
  if (APPROVERS === null) yield 'WITHDRAWAL_REVIEW needs APPROVERS: two people approve';
  const unlimited = (deployment?.assets ?? [])
    .filter(({ limit, R }) => limit === undefined || R === undefined)
    .map(({ symbol }) => symbol);
  if (deployment === null || unlimited.length > 0) {
    const whose = unlimited.length === 0 ? 'each asset' : unlimited.join(', ');
    yield `WITHDRAWAL_REVIEW needs limit and R of ${whose} in CHAIN_DEPLOYMENT`;
  }
}

export function chainConfig(
  environment: Environment,
  signerPrivateKey: string,
  deployment: DeploymentManifest | null,
): ChainConfig {
  const isDevelopmentChain = environment.CHAIN_RPC_URL === null;
  const chainId = deployment?.chainId ?? environment.CHAIN_ID ?? developmentChainId;
  const { contracts } = deployment ?? {};
  const kind = deployment?.kind ?? networkKind(chainId);
  const isMain = kind === 'main';
  const rpcUrls = rpcUrlsOf(environment);
  return {
    rpcUrl: environment.CHAIN_RPC_URL,
    rpcUrls,
    quorum: environment.CHAIN_QUORUM ?? Math.floor(rpcUrls.length / 2) + 1,
    chainId,
    explorerUrl: environment.CHAIN_EXPLORER_URL,
    kind,
    deployment,
    deploymentPath: environment.CHAIN_DEPLOYMENT,
    signers: signerConfig(environment, signerPrivateKey),
    rewardRouterAddress: contracts?.rewardRouter.address ?? environment.REWARD_ROUTER_ADDRESS,
    referralRebateAddress: contracts?.referralRebate.address ?? environment.REFERRAL_REBATE_ADDRESS,
    spotVaultAddress: contracts?.spotVault.address ?? environment.SPOT_VAULT_ADDRESS,
    confirmations: environment.CHAIN_CONFIRMATIONS ?? (isDevelopmentChain ? 0 : usualConfirmations),
    approvers: environment.APPROVERS ?? [],
    areWithdrawalsReviewed: environment.WITHDRAWAL_REVIEW ?? (isMain && !isDevelopmentChain),
    referralDomainName: environment.EIP712_REFERRAL_DOMAIN_NAME ?? 'ReferralRewardRouter',
    vaultDomainName: environment.EIP712_VAULT_DOMAIN_NAME ?? 'SpotVault',
  };
}
