import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import type { WaitingEventPorts } from '../application/admin/waiting-events.ts';
import { type ChainService, createChainService } from '../chain/chain-service.ts';
import { requireBlockTag } from '../chain/node/require-block-tag.ts';
import type { Config } from '../config/config.ts';
import type { ChainMinimums, ChainStores } from '../database/chain-stores.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import { assert } from '../domain/assert.ts';
import { parseDecimal } from '../domain/decimal.ts';
import type { Address } from '../domain/identifiers.ts';
import { type MicroUsdt, microUsdtFromDecimal } from '../domain/micro-usdt.ts';
import type { HaltRoutePorts } from '../gateway/http/admin/halt-routes.ts';
import type { PartState, Readiness } from '../gateway/http/operation/readiness.ts';
import type { WalletRoutePorts } from '../gateway/http/wallet/routes.ts';
import type { Logger } from '../observability/log.ts';
import { watchNumbers } from '../observability/metrics.ts';
import { gasLimitsOf } from './gas-limits.ts';
import { assetsOf, assetsReader } from './manifest-assets.ts';

/**
 * Creates the chain service of the settings with its stores; it does nothing until it is started.
 */
export function createChain(config: Config, stores: ChainStores, log: Logger): ChainService {
  const { chain, program } = config;
  return createChainService({
    ...stores,
    rpcUrl: chain.rpcUrl,
    providers: providersOf(config),
    finality: finalityOf(config),
    startBlock: startBlockOf(config),
    gas: gasLimitsOf(config),
    deployment: chain.deployment,
    developmentFolder: config.natsUrl === null ? join(config.dataDir, 'chain') : null,
    chainId: chain.chainId,
    explorerUrl: chain.explorerUrl,
    contracts: contractsOf(config),
    signers: chain.signers,
    assets: assetsOf(config.chain.deployment),
    readAssets: assetsReader(config, log),
    confirmations: chain.confirmations,
    rewardDomainName: chain.referralDomainName,
    vaultDomainName: chain.vaultDomainName,
    pollIntervalMs: program.claimPollIntervalMs,
    log,
  });
}

/**
 * Asked before anything is opened: with such a setting nothing could ever be counted or signed.
 * @throws BlockTagError
 */
export async function requireFinalBlocks(config: Config): Promise<void> {
  const { rpcUrls: urls, quorum } = config.chain;
  const tag = finalityOf(config);
  if (urls.length > 0 && tag !== null) await requireBlockTag({ urls, quorum, tag });
}

// A single provider is trusted as it is; a main network does not start with one.
function providersOf({ chain: { rpcUrls, quorum, deployment } }: Config) {
  if (rpcUrls.length < 2) return undefined;
  return { urls: rpcUrls, quorum, areProofsRequired: deployment?.proofs !== 'quorum' };
}

function finalityOf({ chain: { deployment } }: Config) {
  const finality = deployment?.finality ?? 'confirmations';
  return finality === 'confirmations' ? null : finality;
}

// The lowest block that the manifest names: events before the other contracts existed count too.
function startBlockOf({ chain: { deployment } }: Config): number | null {
  if (deployment === null) return null;
  const ofContracts = Object.values(deployment.contracts).map(({ startBlock }) => startBlock);
  return Math.min(deployment.startBlock, ...ofContracts);
}

// A development chain deploys its own contracts, whatever the settings say.
function contractsOf({ chain }: Config) {
  const { rpcUrl, rewardRouterAddress, referralRebateAddress, spotVaultAddress } = chain;
  if (rpcUrl === null) return null;
  if (rewardRouterAddress === null || referralRebateAddress === null || spotVaultAddress === null) {
    return null;
  }
  // The settings' parser allows only addresses.
  return {
    rewardRouter: rewardRouterAddress as Address,
    referralRebate: referralRebateAddress as Address,
    spotVault: spotVaultAddress as Address,
  };
}

/** Trading continues without the chain; money moves to and from it only while this is ready. */
export function addChainReadiness(
  readiness: Readiness,
  chain: ChainService,
  { chain: { rpcUrl }, natsUrl }: Config,
): void {
  if (rpcUrl === null && natsUrl !== null) {
    const detail = 'no chain: several processes need CHAIN_RPC_URL for one';
    readiness.add('chain', () => ({ state: 'off', isReady: true, detail }));
    return;
  }
  readiness.add('chain', (): PartState => {
    const { state, reason } = chain.status;
    const isReady = state === 'ready' || state === 'degraded';
    return { state, isReady, canRead: true, ...(reason === null ? {} : { detail: reason }) };
  });
}

const stateNumbers = { unavailable: 0, starting: 1, degraded: 2, ready: 3 } as const;

/** The chain gauges behind the operators' alarms. */
export function watchChain(metrics: Registry, chain: ChainService): void {
  watchNumbers(metrics, [
    {
      name: 'chain_state',
      help: '0 unavailable, 1 starting, 2 degraded, 3 ready',
      read: () => stateNumbers[chain.status.state],
    },
    {
      name: 'chain_signing',
      help: '1 while claims and withdrawals are signed',
      read: () => Number(chain.status.isSigning),
    },
    {
      name: 'chain_counted_block',
      help: 'The last block whose events are counted; 0 before the first',
      read: () => chain.status.countedBlock ?? 0,
    },
    {
      name: 'chain_parked_events',
      help: 'Chain events that wait for an operator',
      read: () => chain.status.parkedEvents,
    },
    {
      name: 'chain_halts',
      help: 'Halts of signing that administrators have to clear',
      read: () => chain.status.openHalts,
    },
    {
      name: 'signer_log_differs',
      help: 'Halts because the log of a signer is not the one of its earlier signatures',
      read: () => chain.status.signerLogHalts,
    },
    {
      name: 'chain_disagreement',
      help: 'Seconds since the providers began to disagree',
      read: () => chain.status.disagreementSeconds,
    },
    {
      name: 'provider_excluded',
      help: 'Providers that contradicted a proof and are no longer queried',
      read: () => chain.status.excludedProviders,
    },
  ]);
}

interface WaitingEventParts {
  readonly services: DatabaseServices;
  readonly chain: ChainService;
  readonly wallet: WalletRoutePorts;
}

/** With real money, ending an event takes two people. */
export function waitingEventPorts(
  config: Config,
  { services, chain, wallet }: WaitingEventParts,
): WaitingEventPorts {
  const { chainId, approvers, areApprovalsRequired } = haltPorts(config, services, chain);
  const { ledger, waitingEvents: events } = services.chain;
  return {
    events,
    ledger,
    settler: wallet.walletSettler,
    evidence: chain.evidence,
    vault: chain.vaultSigner,
    chainId,
    approvers,
    areApprovalsRequired,
    newWithdrawalId: randomUUID,
  };
}

/** With real money, clearing a halt takes two people. */
export function haltPorts(
  { chain }: Config,
  services: DatabaseServices,
  { guardian }: Pick<ChainService, 'guardian'>,
): HaltRoutePorts {
  return {
    guardian,
    halts: services.chain.halts,
    contractPauses: services.chain.contractPauses,
    chainId: chain.chainId,
    // The settings' parser allows only addresses.
    approvers: chain.approvers as readonly Address[],
    areApprovalsRequired: chain.kind === 'main' || chain.approvers.length > 0,
  };
}

/** The minimum amount of one claim. */
export function minimumClaim({ program }: Config): MicroUsdt {
  return requireMicroUsdt(program.minClaimUsdt);
}

/** Keeps users from making the exchange pay for writes to the chain. */
export function chainThrift(config: Config): ChainMinimums {
  return {
    settleMin: requireMicroUsdt(config.program.settleMinUsdt),
    minimumClaim: minimumClaim(config),
    registerRestMs: config.program.registerRestMs,
  };
}

function requireMicroUsdt(text: string): MicroUsdt {
  const decimal = parseDecimal(text);
  const minimum = decimal === null ? null : microUsdtFromDecimal(decimal);
  assert(minimum !== null, 'the settings are checked for amounts of USDT');
  return minimum;
}
