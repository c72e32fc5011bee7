import { setTimeout as delay } from 'node:timers/promises';
import { formatUnits } from 'viem';
import type { ContractSignatures } from '../application/ports/accounts.ts';
import type { BackfillStore } from '../application/ports/backfills.ts';
import type {
  ChainInfo,
  ChainStatus,
  HoldingsReader,
  OnChainReader,
  RewardSigner,
  VaultSigner,
} from '../application/ports/chain.ts';
import type { ChainHaltStore } from '../application/ports/chain-halts.ts';
import type {
  ChainBooks,
  ChainLedger,
  RegisterQueue,
  SettlementStore,
  TransactionStore,
} from '../application/ports/chain-ledger.ts';
import type { ContractGuardian, ContractPauseStore } from '../application/ports/contract-pauses.ts';
import type { ContractStore } from '../application/ports/contracts.ts';
import type { SignerHeadStore } from '../application/ports/signer-log.ts';
import type { EvidenceReader } from '../application/ports/waiting-events.ts';
import type { Logger } from '../observability/log.ts';
import type { ChainToken, ContractAddresses } from './chain-addresses.ts';
import type { GasLimits } from './chain-components.ts';
import type { ChainAccess, ChainConnection } from './chain-connection.ts';
import {
  ChainLink,
  type ChainLinkOptions,
  type ProviderSet,
  type RpcRetryPolicy,
} from './chain-link.ts';
import { ChainWork } from './chain-work.ts';
import { ChainContractSignatures } from './contract-signatures.ts';
import type { DeploymentWatch } from './deployment/deployment-watch.ts';
import type { ExpectedDeployment } from './deployment/expected-deployment.ts';
import type { BookDifference } from './events/book-difference.ts';
import { ChainGuardian } from './guardian/contract-guardian.ts';
import { noGuardian } from './guardian/no-guardian.ts';
import { ChainHalts } from './halts.ts';
import type { FinalTag } from './node/chain-node.ts';
import { CachedReader } from './reading/cached-reader.ts';
import { ChainEvidenceReader } from './reading/evidence-reader.ts';
import { ChainHoldingsReader } from './reading/holdings-reader.ts';
import { ChainReader } from './reading/on-chain-reader.ts';
import { ReadCache } from './reading/read-cache.ts';
import { startLoop } from './run-loop.ts';
import type { ChainSigner, ChainSigners } from './signers/chain-signer.ts';
import { createSigners, type SignerSettings } from './signers/signer-settings.ts';
import { SignerWatch } from './signers/signer-watch.ts';
import type { RegisteredAsset } from './signing/check-chain.ts';
import { ChainRewardSigner } from './signing/reward-signer.ts';
import { ChainVaultSigner } from './signing/vault-signer.ts';

// The chain side of the exchange as one part. It connects on its own, now or later, works in the
// background, and serves requests while it has a chain. Without one the exchange still trades.

export interface ChainServiceOptions {
  /** Null: a development chain in the folder; if there is no folder either, there is no chain. */
  readonly rpcUrl: string | null;
  readonly providers?: ProviderSet | undefined;
  readonly finality?: FinalTag | null;
  readonly startBlock?: number | null;
  readonly gas?: GasLimits | null;
  /** What the manifest says of the chain; null without a manifest. */
  readonly deployment?: ExpectedDeployment | null;
  readonly developmentFolder: string | null;
  readonly chainId: number;
  readonly explorerUrl?: string | null;
  /** Null on a development chain, where they are deployed. */
  readonly contracts: ContractAddresses | null;
  readonly signers: SignerSettings;
  /** The manifest's assets; null without a manifest. */
  readonly assets: readonly RegisteredAsset[] | null;
  /** The manifest's current assets; the manifest can add assets without a restart. */
  readonly readAssets?: (() => readonly RegisteredAsset[]) | undefined;
  readonly confirmations: number;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
  /** How often a process that does not count events checks how far the counting is. */
  readonly pollIntervalMs: number;
  readonly ledger: ChainLedger;
  readonly books: ChainBooks;
  /** Without it, blocks before the first counted one are not read. */
  readonly backfills?: BackfillStore;
  readonly halts: ChainHaltStore;
  /** Without it, no contract is paused from here. */
  readonly contractPauses?: ContractPauseStore;
  readonly contractStore: ContractStore;
  readonly transactions: TransactionStore;
  readonly settlements: SettlementStore;
  readonly register: RegisterQueue;
  /** Without it, the logs of remote signers are not compared. */
  readonly signerHeads?: SignerHeadStore;
  readonly retryPolicy?: RpcRetryPolicy;
  readonly log: Logger;
}

export interface ChainService {
  readonly rewardSigner: RewardSigner;
  readonly vaultSigner: VaultSigner;
  readonly reader: OnChainReader;
  readonly holdings: HoldingsReader;
  readonly evidence: EvidenceReader;
  readonly contractSignatures: ContractSignatures;
  readonly guardian: ContractGuardian;
  readonly info: ChainInfo;
  readonly status: ChainStatus;
  /** For each role, whether the signer that the contracts name can be reached. */
  loadReachable(): Promise<readonly (readonly [role: string, isReachable: boolean])[]>;
  /** For each contract, in how many points it differs from the manifest; empty without one. */
  readonly deploymentDifferences: DeploymentWatch['differences'];
  /** What the vault accounts for beyond what is counted, by token; 0 if they agree. */
  readonly bookDifferences: readonly (readonly [token: string, amount: number])[];
  /** How often signers refused, by their own words. */
  readonly signerRefusals: SignerWatch['refusals'];
  /** Whether events can be polled and rewards settled here. */
  readonly isConnected: boolean;
  /** Starts connecting, and follows the counting once the database has its tables. */
  start(tables: Promise<void>): void;
  /** Counts everything that is confirmed now. */
  pollEvents(): Promise<void>;
  /** Settles the rewards that wait. */
  settleRewards(): Promise<void>;
  /** Starts nothing new; pending work gets some seconds, then calls to the node are aborted. */
  finishWork(): Promise<void>;
  /** The same; then a development chain is saved and stopped. */
  stop(): Promise<void>;
}

const reconnectMs = 5_000;
/** How often requests to pause a contract are looked for. */
const pauseMs = 5_000;
const pauseFeePerGasMax = 500_000_000_000n;
const stopMsMax = 3_000;
const readCacheOptions = {
  ttlMs: 5_000,
  errorTtlMs: 1_000,
  entriesMax: 10_000,
  runningMax: 8,
  waitingMax: 64,
  now: () => performance.now(),
};

export function createChainService(options: ChainServiceOptions): ChainService {
  const { log } = options;
  const { signers, signerWatch } = createWatchedSigners(options);
  const link = new ChainLink({ ...options, signers } satisfies ChainLinkOptions);
  const work = new ChainWork({ ...options, link, signerWatch });
  const access = accessOf(link, work);
  const guardian = createGuardian(options, link, signers.guardian);
  const { pollIntervalMs } = options;
  let isStopping = false;
  const loops: (() => Promise<void>)[] = [];
  const repeat = (name: string, intervalMs: number, run: () => Promise<void>): void => {
    if (!isStopping) loops.push(startLoop({ name, intervalMs, log }, run));
  };
  const finishWork = async (): Promise<void> => {
    isStopping = true;
    // Requests that wait for the node get the same time.
    setTimeout(() => link.abort(), stopMsMax).unref();
    const ended = Promise.all([...loops.splice(0).map((stopLoop) => stopLoop()), work.ended]);
    // A node that does not answer must not delay the stop: everything that was done is saved.
    await Promise.race([ended, delay(stopMsMax, undefined, { ref: false })]);
  };
  return {
    rewardSigner: new ChainRewardSigner(access),
    vaultSigner: new ChainVaultSigner(access),
    reader: new CachedReader(new ChainReader(access), new ReadCache(readCacheOptions)),
    holdings: new ChainHoldingsReader(access),
    evidence: new ChainEvidenceReader(access),
    contractSignatures: new ChainContractSignatures(access, log),
    guardian,
    get info() {
      return infoOf(options, link.connection, link.developmentRpcUrl);
    },
    get status() {
      return work.status;
    },
    loadReachable: () => loadReachable(link.connection?.signers, signers.guardian),
    get deploymentDifferences() {
      return work.deploymentDifferences;
    },
    get bookDifferences() {
      return differencesByToken(link.connection?.tokens ?? [], work.bookDifferences);
    },
    get signerRefusals() {
      return signerWatch.refusals;
    },
    get isConnected() {
      return link.connection !== null;
    },
    start: (tables) => {
      repeat('connect to the chain', reconnectMs, () => link.ensureConnected());
      void tables.then(() => {
        repeat('follow the chain', pollIntervalMs, () => work.refresh(2 * pollIntervalMs));
        repeat('pause contracts', pauseMs, () => guardian.pauseRequested());
      });
    },
    pollEvents: () => work.pollEvents(),
    settleRewards: () => work.settleRewards(),
    finishWork,
    stop: async () => {
      await finishWork();
      await link.close();
    },
  };
}

function createGuardian(
  { contractPauses, ledger, gas = null, log }: ChainServiceOptions,
  link: ChainLink,
  signer: ChainSigner | null,
): ContractGuardian {
  if (contractPauses === undefined) return noGuardian;
  return new ChainGuardian({
    signer,
    connection: () => link.connection,
    pauses: contractPauses,
    ledger,
    feePerGasMax: gas?.feePerGasMax ?? pauseFeePerGasMax,
    now: () => Date.now(),
    log,
  });
}

function accessOf(link: ChainLink, work: ChainWork): ChainAccess {
  return {
    get connection() {
      return link.connection;
    },
    get signingFault() {
      return work.signingFault;
    },
    get vaultFault() {
      return work.vaultFault;
    },
    loadHaltFault: (role) => work.loadHaltFault(role),
  };
}

function createWatchedSigners({ signers: settings, signerHeads, halts, log }: ChainServiceOptions) {
  const raised = new ChainHalts(halts, log);
  const signerWatch = new SignerWatch({
    heads: signerHeads ?? null,
    raise: (halt) => raised.raise(halt),
    now: () => Date.now(),
  });
  const noteHead = signerHeads && signerHeads.note.bind(signerHeads);
  const keys = createSigners(settings, noteHead);
  const watched = (signers: ChainSigners): ChainSigners => ({
    settler: signerWatch.watch(signers.settler, 'settler'),
    reward: signerWatch.watch(signers.reward, 'reward'),
    vault: signerWatch.watch(signers.vault, 'vault'),
  });
  const { byRole, forFirstVersion, guardian } = keys;
  const signers = {
    byRole: watched(byRole),
    forFirstVersion: watched(forFirstVersion),
    guardian,
  };
  return { signers, signerWatch };
}

function differencesByToken(
  tokens: readonly ChainToken[],
  differences: readonly BookDifference[],
): readonly (readonly [token: string, amount: number])[] {
  const ofTokens = differences.filter(({ what }) => what === 'accounted');
  const known = tokens.map(({ symbol, address, decimals }) => {
    const raw = ofTokens.find(({ of }) => of === address)?.amount ?? 0n;
    return [symbol, Number(formatUnits(raw, decimals))] as const;
  });
  const others = ofTokens.filter(({ of }) => !tokens.some(({ address }) => address === of));
  return [...known, ...others.map(({ of, amount }) => [`${of}`, Number(amount)] as const)];
}

async function loadReachable(
  signers: ChainSigners | undefined,
  guardian: ChainSigner | null,
): Promise<readonly (readonly [role: string, isReachable: boolean])[]> {
  if (signers === undefined) return [];
  const byRole = { ...signers, ...(guardian === null ? {} : { guardian }) };
  return Promise.all(
    Object.entries(byRole).map(
      async ([role, signer]) => [role, await signer.isReachable()] as const,
    ),
  );
}

function infoOf(
  { chainId, explorerUrl = null }: ChainServiceOptions,
  connection: ChainConnection | null,
  rpcUrl: string | null,
): ChainInfo {
  const contracts = connection?.contracts;
  return {
    chainId,
    rewardRouter: contracts?.rewardRouter ?? null,
    referralRebate: contracts?.referralRebate ?? null,
    spotVault: contracts?.spotVault ?? null,
    usdt: connection?.usdt.address ?? null,
    df: connection?.tokens.find(({ symbol }) => symbol === 'DF')?.address ?? null,
    rpcUrl,
    explorerUrl,
  };
}
