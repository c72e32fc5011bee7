import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../observability/log.ts';
import { systemTime } from '../system/system-time.ts';
import type { ContractAddresses } from './chain-addresses.ts';
import type { ChainConnection } from './chain-connection.ts';
import { AnvilMissingError } from './development/anvil-process.ts';
import { type DevelopmentChain, openDevelopmentChain } from './development/development-chain.ts';
import type { ChainNode, FinalTag } from './node/chain-node.ts';
import { ChainUnavailableError, createJsonRpc, type JsonRpcOptions } from './node/json-rpc.ts';
import { createJsonRpcNode } from './node/json-rpc-node.ts';
import { QuorumNode } from './node/quorum/quorum-node.ts';
import { addressesOf } from './signers/chain-signer.ts';
import type { SignerKeys } from './signers/signer-settings.ts';
import { ChainMismatchError, checkChain, type RegisteredAsset } from './signing/check-chain.ts';
import { loadVersion } from './signing/contract-version.ts';
import { VaultTokens } from './signing/vault-tokens.ts';

// The connection to the chain: opens it when possible, checks once that it is the intended chain,
// and reopens a development chain that has died.

export interface ChainLinkOptions {
  readonly rpcUrl: string | null;
  /** Several providers of the same chain, and how many must agree; without it one is trusted. */
  readonly providers?: ProviderSet | undefined;
  /** The block tag above which no block is counted; null if only confirmations matter. */
  readonly finality?: FinalTag | null;
  /**
   * Null: no development chain either, since each of several processes would have a different one.
   */
  readonly developmentFolder: string | null;
  readonly chainId: number;
  readonly contracts: ContractAddresses | null;
  /** The manifest's assets at the start; null without a manifest. */
  readonly assets: readonly RegisteredAsset[] | null;
  /** The manifest's current assets. */
  readonly readAssets?: (() => readonly RegisteredAsset[]) | undefined;
  readonly rewardDomainName: string;
  readonly vaultDomainName: string;
  readonly signers: SignerKeys;
  /** How long to wait for a node; the default suits nodes run by others. */
  readonly retryPolicy?: RpcRetryPolicy;
  readonly log: Logger;
}

export interface ProviderSet {
  readonly urls: readonly string[];
  readonly quorum: number;
  /** Whether the chain's headers can be rebuilt, so that everything else is proven under them. */
  readonly areProofsRequired: boolean;
}

export type RpcRetryPolicy = Pick<JsonRpcOptions, 'timeoutMs' | 'failuresMax' | 'pauseMs'>;

const defaultRetryPolicy: RpcRetryPolicy = { timeoutMs: 10_000, failuresMax: 5, pauseMs: 2_000 };
const saveIntervalMs = 250;
const heartbeatMs = 30_000;
// How long a stop waits for a chain that is still being opened to succeed or fail.
const closeMsMax = 2_000;
const startingFault = 'the chain is being connected';

/** The settings name no chain, and none may be started. */
class NoChainError extends Error {
  override readonly name = 'NoChainError';
}

export class ChainLink {
  readonly #options: ChainLinkOptions;
  #development: DevelopmentChain | null = null;
  #connection: ChainConnection | null = null;
  #fault: string | null = startingFault;
  #isUnusable = false;
  #isClosed = false;
  #connecting: Promise<void> | null = null;
  #vaultTokens: VaultTokens | null = null;
  readonly #aborted = new AbortController();

  constructor(options: ChainLinkOptions) {
    this.#options = options;
  }

  get connection(): ChainConnection | null {
    return this.#connection;
  }

  /** Why there is no connection; null if there is one. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Whether there is no connection and at least one attempt to make one has failed. */
  get hasFailed(): boolean {
    return this.#connection === null && this.#fault !== startingFault;
  }

  get developmentRpcUrl(): string | null {
    return this.#development?.rpcUrl ?? null;
  }

  /** The block before the contracts' first, if it is known without asking the chain. */
  get startBlock(): number | null {
    return this.#development?.startBlock ?? null;
  }

  /** Saves a development chain up to its head; undefined for chains that others operate. */
  get secureHead(): (() => Promise<number>) | undefined {
    const development = this.#development;
    return development === null ? undefined : () => development.save();
  }

  /** Connects unless that is done or can never succeed; concurrent callers share one attempt. */
  async ensureConnected(): Promise<void> {
    if (this.#connection !== null || this.#isUnusable || this.#isClosed) return;
    this.#connecting ??= this.#tryConnecting().finally(() => {
      this.#connecting = null;
    });
    await this.#connecting;
  }

  async #tryConnecting(): Promise<void> {
    try {
      this.#connection = await this.#connect();
      this.#fault = null;
      const { chainId, contracts } = this.#connection;
      this.#options.log.info({ chainId, contracts }, 'chain connected');
    } catch (error) {
      this.#noteFault(error);
    }
  }

  /**
   * Takes over what the manifest and the vault have named since.
   * @throws ChainUnavailableError
   */
  async refreshTokens(): Promise<void> {
    const faults = await this.#vaultTokens?.refresh(this.#readAssets());
    if (faults !== undefined && faults !== null) this.#noteAssetFaults(faults);
  }

  #readAssets(): readonly RegisteredAsset[] | null {
    const { readAssets, assets } = this.#options;
    return readAssets === undefined ? assets : readAssets();
  }

  #noteAssetFaults(faults: readonly string[]): void {
    for (const fault of faults) this.#options.log.error({ fault }, 'an asset is disabled');
  }

  /** Aborts all pending calls to the node and refuses further ones. */
  abort(): void {
    this.#aborted.abort();
  }

  /** Closes the connection; a development chain is saved and stopped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.abort();
    await Promise.race([this.#connecting, delay(closeMsMax, undefined, { ref: false })]);
    this.#connection = null;
    this.#fault = 'the service is stopping';
    await this.#development?.stop();
    this.#development = null;
  }

  async #connect(): Promise<ChainConnection> {
    const { rpcUrl, chainId, signers, rewardDomainName, vaultDomainName } = this.#options;
    const development = rpcUrl === null ? await this.#openDevelopmentChain() : null;
    const url = rpcUrl ?? development?.rpcUrl;
    const contracts = this.#options.contracts ?? development?.contracts;
    if (url === undefined || contracts === undefined) {
      throw new Error('the addresses of the contracts are not set');
    }
    const node = this.#openNode(url);
    const { finality = null } = this.#options;
    const assets = this.#readAssets();
    const expected = { chainId, contracts, assets, rewardDomainName, vaultDomainName };
    const { usdt, ...named } = await checkChain(node, expected);
    const vaultTokens = new VaultTokens({ node, spotVault: contracts.spotVault }, named);
    this.#noteAssetFaults(named.assetFaults);
    this.#vaultTokens = vaultTokens;
    if (finality !== null) await requireFinality(node, finality);
    const { rewardRouter, spotVault } = contracts;
    const version = await loadVersion(node, rewardRouter);
    return {
      node,
      chainId,
      contracts,
      usdt,
      get tokens() {
        return vaultTokens.named;
      },
      rewardDomain: { name: rewardDomainName, chainId, verifyingContract: rewardRouter },
      vaultDomain: { name: vaultDomainName, chainId, verifyingContract: spotVault },
      version,
      signers: version === 1 ? signers.forFirstVersion : signers.byRole,
    };
  }

  #openNode(url: string): ChainNode {
    const { retryPolicy = defaultRetryPolicy, providers, log } = this.#options;
    const { signal } = this.#aborted;
    if (providers === undefined) {
      return createJsonRpcNode(createJsonRpc({ url, ...retryPolicy, signal }));
    }
    const { urls, quorum, areProofsRequired } = providers;
    return new QuorumNode({
      // Named by their position in the setting: an address may contain a key.
      providers: urls.map((each, index) => {
        const rpc = createJsonRpc({ url: each, ...retryPolicy, signal });
        return { name: `provider ${index + 1}`, rpc, node: createJsonRpcNode(rpc) };
      }),
      quorum,
      areProofsRequired,
      log,
      time: systemTime,
    });
  }

  async #openDevelopmentChain(): Promise<DevelopmentChain> {
    if (this.#development !== null) return this.#development;
    const { developmentFolder, chainId, signers, log } = this.#options;
    if (developmentFolder === null) {
      throw new NoChainError('several processes need a chain that they share: set CHAIN_RPC_URL');
    }
    const { rewardDomainName, vaultDomainName } = this.#options;
    const development = await openDevelopmentChain({
      folder: developmentFolder,
      chainId,
      signers: addressesOf(signers.byRole),
      guardian: signers.guardian?.address ?? null,
      rewardDomainName,
      vaultDomainName,
      log,
      saveIntervalMs,
      heartbeatMs,
    });
    if (this.#isClosed) {
      await development.stop();
      throw new Error('the service is stopping');
    }
    this.#development = development;
    void development.stopped.then((exit) => {
      if (this.#isClosed) return;
      log.error({ exit }, 'the development chain has died and is opened again');
      this.#development = null;
      this.#connection = null;
      this.#fault = 'the development chain has died';
    });
    return development;
  }

  #noteFault(error: unknown): void {
    const fault = error instanceof Error ? error.message : String(error);
    this.#isUnusable = error instanceof AnvilMissingError || error instanceof NoChainError;
    // Logged once, not with every attempt.
    if (fault !== this.#fault) this.#options.log.warn({ fault }, 'there is no chain');
    this.#fault = fault;
  }
}

async function requireFinality(node: ChainNode, tag: FinalTag): Promise<void> {
  try {
    await node.loadFinal(tag);
  } catch (cause) {
    if (!(cause instanceof ChainUnavailableError)) throw cause;
    const text = `too few providers support the block tag ${tag} that the manifest requires`;
    throw new ChainMismatchError(text, { cause });
  }
}
