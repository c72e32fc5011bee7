import type { BackfillStore } from '../application/ports/backfills.ts';
import type { ChainStatus } from '../application/ports/chain.ts';
import type { ChainHaltStore, SignerRole } from '../application/ports/chain-halts.ts';
import type {
  BlockReference,
  ChainBooks,
  ChainLedger,
  RegisterQueue,
  SettlementStore,
  TransactionStore,
} from '../application/ports/chain-ledger.ts';
import type { ContractStore, DrainingContract } from '../application/ports/contracts.ts';
import type { Logger } from '../observability/log.ts';
import { rewardRouterAbi } from './abi/reward-router-abi.ts';
import { type ChainComponents, createChainComponents, type GasLimits } from './chain-components.ts';
import type { ChainConnection } from './chain-connection.ts';
import type { ChainLink } from './chain-link.ts';
import { readContract } from './contract-calls.ts';
import { DeploymentWatch } from './deployment/deployment-watch.ts';
import type { ExpectedDeployment } from './deployment/expected-deployment.ts';
import { backfillVault } from './events/backfill-vault.ts';
import type { BookDifference } from './events/book-difference.ts';
import { BooksWatch } from './events/books-watch.ts';
import type { EventListener, StartBlock } from './events/event-listener.ts';
import { expireSlots } from './events/expire-slots.ts';
import { hasEnded } from './events/find-ended.ts';
import { findStartBlock } from './events/find-start-block.ts';
import { fromHexAddress } from './evm-values.ts';
import { ChainHalts } from './halts.ts';
import { identifyContracts } from './identify-contracts.ts';
import type { ChainNode, FinalTag } from './node/chain-node.ts';
import { ChainUnavailableError } from './node/json-rpc.ts';
import type { SignerWatch } from './signers/signer-watch.ts';
import { CapProof } from './signing/prove-cap.ts';
import { findVaultFault } from './signing/vault-fault.ts';
import type { TransactionManager } from './transactions/transaction-manager.ts';

// The background work on the chain, one task at a time: counts events, sees transactions through,
// settles, mirrors, and keeps checking that it is safe to sign.

export interface ChainWorkOptions {
  readonly link: ChainLink;
  readonly chainId: number;
  readonly confirmations: number;
  readonly finality?: FinalTag | null;
  /** The first block of the contracts according to the manifest; null: it is searched for. */
  readonly startBlock?: number | null;
  readonly gas?: GasLimits | null;
  /** What the manifest says of the chain; null without a manifest. */
  readonly deployment?: ExpectedDeployment | null;
  readonly ledger: ChainLedger;
  readonly books: ChainBooks;
  readonly backfills?: BackfillStore;
  readonly halts: ChainHaltStore;
  readonly contractStore: ContractStore;
  readonly transactions: TransactionStore;
  readonly settlements: SettlementStore;
  readonly register: RegisterQueue;
  readonly signerWatch?: Pick<SignerWatch, 'check'>;
  readonly log: Logger;
}

type WorkKind = 'poll' | 'settle' | 'check';

const now = (): number => Date.now();

export class ChainWork {
  readonly #options: ChainWorkOptions;
  readonly #halts: ChainHalts;
  readonly #booksWatch: BooksWatch;
  readonly #deployment: DeploymentWatch;
  readonly #capProof = new CapProof();
  #components: ChainComponents | null = null;
  #capFault: string | null = 'the reward router has not returned its cap yet';
  #vaultFault: string | null = 'the vault has not been checked yet';
  /** The error of the last run of each kind. */
  readonly #failures = new Map<WorkKind, string>();
  /** The connection whose contracts are the ones that the database counts. */
  #identified: ChainConnection | null = null;
  /** Contracts that were replaced, until their last events are counted. */
  #draining: readonly DrainingContract[] = [];
  #parkedEvents = 0;
  #isKnown = false;
  #polledAt = Number.NEGATIVE_INFINITY;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ChainWorkOptions) {
    this.#options = options;
    this.#halts = new ChainHalts(options.halts, options.log);
    this.#booksWatch = new BooksWatch(options.books, this.#halts);
    const { deployment: expected = null, log } = options;
    this.#deployment = new DeploymentWatch({ expected, halts: this.#halts, log, now });
  }

  /** Why no redemption may be signed now; null if signing is safe. */
  get signingFault(): string | null {
    const fault = this.#commonFault('reward') ?? this.#deployment.faultOf('rewardRouter');
    return fault ?? this.#capFault;
  }

  /** Why no release of the vault may be signed now. */
  get vaultFault(): string | null {
    const fault = this.#commonFault('vault') ?? this.#deployment.faultOf('spotVault');
    return fault ?? this.#vaultFault;
  }

  #commonFault(role: SignerRole): string | null {
    const { link } = this.#options;
    if (link.connection === null) return link.fault ?? 'the chain is not connected';
    const status = this.#components?.listener.status;
    if (status?.isLost === true) return 'the chain is not the one that was counted';
    if (this.#identified !== link.connection) return 'the contracts are not known yet';
    return this.#halts.faultOf(role) ?? link.connection.node.agreement?.fault ?? null;
  }

  /** Why the role may sign nothing according to the database; read before each signature. */
  async loadHaltFault(role: SignerRole): Promise<string | null> {
    await this.#halts.refresh();
    return this.#halts.faultOf(role);
  }

  /** For each contract, in how many points it differs from the manifest. */
  get deploymentDifferences(): DeploymentWatch['differences'] {
    return this.#deployment.differences;
  }

  /** What the vault accounts for beyond what is counted, by token; no entry if they agree. */
  get bookDifferences(): readonly BookDifference[] {
    return this.#booksWatch.differences;
  }

  get status(): ChainStatus {
    const { link } = this.#options;
    const { signingFault, vaultFault } = this;
    const [trouble = null] = this.#failures.values();
    const reason = link.fault ?? trouble ?? signingFault ?? vaultFault ?? this.#parkedReason();
    return {
      state: this.#stateFor(reason),
      reason,
      isSigning: signingFault === null && vaultFault === null,
      countedBlock: this.#components?.listener.status.cursor?.number ?? null,
      parkedEvents: this.#parkedEvents,
      openHalts: this.#halts.count,
      signerLogHalts: this.#halts.countOf('signer_log_differs'),
      disagreementSeconds: link.connection?.node.agreement?.disagreementSeconds ?? 0,
      excludedProviders: link.connection?.node.agreement?.excludedCount ?? 0,
    };
  }

  #stateFor(reason: string | null): ChainStatus['state'] {
    const { link } = this.#options;
    const isLost = this.#components?.listener.status.isLost === true;
    if (link.hasFailed || isLost || this.#failures.has('poll') || this.#failures.has('check'))
      return 'unavailable';
    if (link.connection === null || !this.#isKnown) return 'starting';
    return reason === null ? 'ready' : 'degraded';
  }

  /** Counts what is confirmed, then checks the transactions and the contract's cap. */
  async pollEvents(): Promise<void> {
    await this.#inTurn('poll', async (components) => {
      this.#polledAt = performance.now();
      await this.#catchUp(components);
      await this.#proveCap(components);
      this.#isKnown = true;
    });
    this.#failures.delete('check');
  }

  /**
   * Updates, in a process that does not count, how far the counting is and whether it may sign.
   * Does nothing if this process has itself polled that recently.
   */
  async refresh(polledWithinMs: number): Promise<void> {
    if (performance.now() - this.#polledAt < polledWithinMs) return;
    await this.#inTurn('check', async (components) => {
      await this.#halts.refresh();
      if (!(await components.listener.readProgress())) return;
      this.#parkedEvents = await this.#options.ledger.countParkedEvents();
      await this.#proveCap(components);
      this.#isKnown = true;
    });
    this.#failures.clear();
  }

  /** Resolves once no work is pending. */
  get ended(): Promise<unknown> {
    return this.#turn;
  }

  async settleRewards(): Promise<void> {
    await this.#inTurn('settle', async (components) => {
      const cursor = await this.#catchUp(components);
      const { sentCount, obstacle: blockedBy } = await this.#settle(components, cursor);
      const registerFault =
        this.#halts.faultOf('settler') ?? this.#deployment.faultOf('referralRebate');
      if (registerFault === null) await components.mirror.run(cursor);
      // If blocks are made at once, what was sent can be counted at once.
      if (sentCount > 0) await this.#catchUp(components);
      const reason = blockedBy ?? registerFault;
      if (reason !== null) throw new Error(`settlement waits: ${reason}`);
    });
  }

  async #settle({ settlement }: ChainComponents, cursor: BlockReference) {
    const fault = this.#halts.faultOf('settler') ?? this.#deployment.faultOf('rewardRouter');
    return fault === null ? settlement.run(cursor) : { sentCount: 0, obstacle: fault };
  }

  async #catchUp({ connection, listener, manager }: ChainComponents): Promise<BlockReference> {
    await this.#halts.refresh();
    await this.#options.link.refreshTokens();
    const cursor = await this.#booksWatch.count(connection, listener, () =>
      listener.poll().finally(() => this.#noteLoss(listener)),
    );
    await this.#endDraining(connection, cursor);
    await this.#expire(connection, cursor);
    await this.#halts.refresh();
    await manager.tick(cursor);
    await this.#endOthers(connection, manager, cursor);
    this.#parkedEvents = await this.#options.ledger.countParkedEvents();
    return cursor;
  }

  // Nothing is counted, settled or signed for contracts other than those that the database counts.
  async #identify(connection: ChainConnection): Promise<void> {
    if (this.#identified === connection) return;
    const { node, chainId, contracts } = connection;
    const store = this.#options.contractStore;
    const fault = await identifyContracts({ node, chainId, contracts, store });
    if (fault !== null) throw new Error(fault);
    await this.#backfill(connection);
    this.#draining = await store.listDraining();
    this.#identified = connection;
  }

  // What an earlier run or program did not count of the vault; nothing is signed before it is read.
  async #backfill(connection: ChainConnection): Promise<void> {
    const { backfills: store, log } = this.#options;
    if (store === undefined) return;
    const { node, contracts } = connection;
    const { spotVault } = contracts;
    const namedStart = this.#namedVaultStart;
    const findStart = async () => namedStart ?? this.#findVaultStart(connection);
    const halt = (detail: string) => this.#halts.raise({ kind: 'books_differ', detail });
    await backfillVault({ node, spotVault, store, namedStart, findStart, halt, log });
  }

  // Its own, since a successor among the manifest's contracts is younger than the others.
  get #namedVaultStart(): number | null {
    const { deployment, startBlock = null } = this.#options;
    const first = deployment?.contracts.spotVault.startBlock ?? startBlock;
    return first === null ? null : Math.max(0, first - 1);
  }

  async #findVaultStart({ node, contracts }: ChainConnection): Promise<number | null> {
    const { link } = this.#options;
    if (link.startBlock !== null) return link.startBlock;
    const { number } = await node.loadHead();
    return findStartBlock(node, contracts.spotVault, number);
  }

  // A deposit into a vault that is about to be replaced may be mined after the last block that was
  // counted with it.
  async #endDraining({ node }: ChainConnection, cursor: BlockReference): Promise<void> {
    const { contractStore, log } = this.#options;
    if (this.#draining.length === 0) return;
    for (const contract of this.#draining) {
      if (!(await hasEnded(node, contract, cursor))) continue;
      await contractStore.retire(contract);
      log.info({ ...contract, block: cursor.number }, 'a replaced contract is counted to its end');
    }
    this.#draining = await contractStore.listDraining();
  }

  // Changing the key leaves the old key's transactions open.
  async #endOthers(
    { node, signers, contracts, version }: ChainConnection,
    manager: TransactionManager,
    cursor: BlockReference,
  ): Promise<void> {
    const { address } = signers.settler;
    const { transactions } = this.#options;
    if ((await transactions.listOpenOfOthers(address)).length === 0) return;
    const settler = await readContract(node, {
      address: contracts.rewardRouter,
      abi: rewardRouterAbi,
      functionName: version === 1 ? 'operator' : 'settler',
      at: { blockHash: cursor.hash },
    });
    if (fromHexAddress(settler) === address) await manager.endOthers(cursor);
  }

  async #noteLoss({ status }: EventListener): Promise<void> {
    if (!status.isLost) return;
    const detail = 'the chain shares no block with the one that was counted';
    await this.#halts.raise({ kind: 'lost_chain', detail });
  }

  async #expire(connection: ChainConnection, cursor: BlockReference): Promise<void> {
    const { ledger } = this.#options;
    for (const { contract, account, nonce } of await expireSlots(
      { ...connection, ledger },
      cursor,
    )) {
      const detail = `the ${contract} has used nonce ${nonce} of ${account}, no event was seen`;
      await this.#halts.raise({ kind: 'books_differ', detail });
    }
  }

  async #proveCap({ connection }: ChainComponents): Promise<void> {
    const { node, signers, rewardDomain, contracts } = connection;
    await this.#options.signerWatch?.check(signers);
    const { spotVault } = contracts;
    this.#vaultFault = await findVaultFault(node, spotVault, signers.vault.address);
    const fault = await this.#capProof.findFault(node, signers.reward, rewardDomain);
    if (fault !== this.#capFault) {
      if (fault === null) this.#options.log.info('the reward router shows its cap: signing is on');
      else this.#options.log.error({ fault }, 'signing is off');
    }
    this.#capFault = fault;
  }

  async #inTurn(
    kind: WorkKind,
    work: (components: ChainComponents) => Promise<void>,
  ): Promise<void> {
    const turn = this.#turn.then(async () => {
      await this.#options.link.ensureConnected();
      const components = this.#ensureComponents();
      if (components === null) return;
      try {
        await this.#identify(components.connection);
        await this.#deployment.checkIfDue(components.connection);
        await work(components);
        this.#failures.delete(kind);
      } catch (error) {
        if (error instanceof ChainUnavailableError) this.#deployment.noteInterruption();
        this.#failures.set(kind, error instanceof Error ? error.message : String(error));
        throw error;
      }
    });
    this.#turn = turn.catch(() => undefined);
    await turn;
  }

  #parkedReason(): string | null {
    return this.#parkedEvents === 0 ? null : `${this.#parkedEvents} chain events are parked`;
  }

  #ensureComponents(): ChainComponents | null {
    const { connection } = this.#options.link;
    if (connection === null) return null;
    if (this.#components?.connection !== connection)
      this.#components = this.#createComponents(connection);
    return this.#components;
  }

  #createComponents(connection: ChainConnection): ChainComponents {
    const { node } = connection;
    return createChainComponents({
      ...this.#options,
      connection,
      isSettlerHalted: () => this.#halts.faultOf('settler') !== null,
      draining: () => this.#draining,
      findStartBlock: () => this.#findStartBlock(connection),
      secureHead: this.#secureHead(node),
      now,
    });
  }

  /**
   * Returns the highest block that may be counted once it has enough confirmations; undefined for
   * no such limit.
   */
  #secureHead(node: ChainNode): (() => Promise<number>) | undefined {
    const { link, finality = null, confirmations } = this.#options;
    if (finality === null) return link.secureHead;
    // The listener stays below it by the confirmations, which are a minimum depth.
    return async () => (await node.loadFinal(finality)) + confirmations;
  }

  // Before the first of all contracts whose events are counted: a vault may be older than a router.
  async #findStartBlock({ node, contracts }: ChainConnection): Promise<StartBlock> {
    const { link, confirmations, log, startBlock = null } = this.#options;
    if (startBlock !== null) return { number: Math.max(0, startBlock - 1), isFirst: true };
    if (link.startBlock !== null) return { number: link.startBlock, isFirst: true };
    const head = await node.loadHead();
    const highest = Math.max(0, head.number - confirmations);
    const router = await findStartBlock(node, contracts.rewardRouter, highest);
    const vault = await findStartBlock(node, contracts.spotVault, highest);
    if (router !== null && vault !== null) {
      return { number: Math.min(router, vault), isFirst: true };
    }
    log.warn({ block: highest }, 'the node has no historical state: counting events from now on');
    return { number: highest, isFirst: false };
  }
}
