import type { Hex } from 'viem';
import type {
  BlockReference,
  OperatorTransaction,
  TransactionPurpose,
  TransactionStore,
  TransactionVersion,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import type {
  BroadcastResult,
  ChainNode,
  ChainReceipt,
  FeeSuggestion,
} from '../node/chain-node.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import type { ChainSigner } from '../signers/chain-signer.ts';
import {
  areFeesTooHigh,
  assignNonce,
  decideTransaction,
  latestVersion,
  limitFees,
  type TransactionAction,
  type TransactionObservation,
  type TransactionPolicy,
} from './transaction-machine.ts';

// Sends the operator's transactions and sees each of them through. Carries out the machine's
// decisions: each version is signed, saved, and only then sent. Only one manager works for a key at
// a time.

export interface TransactionManagerOptions {
  readonly node: ChainNode;
  readonly signer: ChainSigner;
  readonly chainId: number;
  readonly store: TransactionStore;
  readonly policy: TransactionPolicy;
  /** What may be spent in wei; null on chains whose coin is worthless. */
  readonly budget?: GasBudget | null;
  /** Whether nothing may be signed for now; what is signed is still sent. */
  readonly isHalted?: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface GasBudget {
  /** Gas times fee of any version. */
  readonly perTransaction: bigint;
  /** Per day: four fifths for settlements, the rest for the register. */
  readonly perDay: bigint;
}

export interface TransactionRequest extends TransactionPurpose {
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
}

export type SubmitResult =
  | { readonly kind: 'saved'; readonly transaction: OperatorTransaction }
  /** Nothing was signed: the operator could not pay for it. */
  | { readonly kind: 'insufficientFunds'; readonly balance: bigint; readonly needed: bigint }
  /** Nothing was signed: enough transactions are pending. */
  | { readonly kind: 'tooMany' }
  /** Nothing was signed: no node has accepted an earlier one yet, and it would wait behind it. */
  | { readonly kind: 'earlierUnsent' }
  /** Nothing was signed: the current fees are above what may be paid. */
  | { readonly kind: 'feesTooHigh' }
  /** Nothing was signed: the day's budget for its purpose is used up. */
  | { readonly kind: 'budgetUsed' };

/** More would risk being dropped from the nodes' pools. */
const openTransactionsMax = 16;
const cancelGas = 21_000n;
const dayMs = 86_400_000;

export class TransactionManager {
  readonly #options: TransactionManagerOptions;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: TransactionManagerOptions) {
    this.#options = options;
  }

  /**
   * Signs, saves and sends a transaction; a second call with the same purpose and reference returns
   * the first one. Once saved it will be seen through, whether or not it could be sent now.
   * @throws ChainUnavailableError, DatabaseError
   */
  async submit(request: TransactionRequest): Promise<SubmitResult> {
    return this.#inTurn(() => this.#submit(request));
  }

  /** Examines every open transaction as of a counted block, and does what is due. */
  async tick(cursor: BlockReference): Promise<void> {
    await this.#inTurn(() => this.#tick(cursor));
  }

  /**
   * Ends the transactions that another key left open, once the contracts name the present key at a
   * counted block: they refuse such a transaction in every later block.
   */
  async endOthers(cursor: BlockReference): Promise<void> {
    await this.#inTurn(async () => {
      const { node, signer, store, log } = this.#options;
      for (const transaction of await store.listOpenOfOthers(signer.address)) {
        const { purpose, reference, nonce, sender } = transaction;
        const at = { blockHash: cursor.hash };
        const isSpent = (await node.loadTransactionCount(sender, at)) > nonce;
        const mined = isSpent ? await this.#findMined(transaction, cursor) : null;
        const outcome = mined === null ? 'void' : mined.isSuccess ? 'succeeded' : 'reverted';
        const hash = mined?.hash ?? null;
        await store.finish(transaction, { outcome, hash, block: cursor.number });
        log.warn({ purpose, reference, sender, outcome }, 'a transaction of another key has ended');
      }
    });
  }

  async #submit(request: TransactionRequest): Promise<SubmitResult> {
    const { node, signer, store, log } = this.#options;
    const known = await store.find(request);
    if (known !== null) return { kind: 'saved', transaction: known };
    const open = await store.listOpen(signer.address);
    if (open.length >= openTransactionsMax) return { kind: 'tooMany' };
    if (open.some(isUnsent)) return { kind: 'earlierUnsent' };
    const suggested = await node.loadFees();
    const policy = this.#policyFor(request);
    if (areFeesTooHigh(suggested, policy)) return { kind: 'feesTooHigh' };
    const fees = limitFees(suggested, policy);
    if (!(await this.#isAffordable(request, fees))) return { kind: 'budgetUsed' };
    const balance = await node.loadBalance(signer.address);
    const needed = request.gasLimit * fees.maxFeePerGas + reservedFor(open);
    if (balance < needed) return { kind: 'insufficientFunds', balance, needed };
    const { nonce, isMismatch } = assignNonce({
      nextSaved: await store.loadNextNonce(signer.address),
      pendingOnChain: await node.loadTransactionCount(signer.address, 'pending'),
    });
    if (isMismatch) log.warn({ nonce }, 'the operator key was used elsewhere');
    const version = await this.#sign({ ...request, nonce }, 'call', fees);
    const transaction: OperatorTransaction = {
      ...request,
      sender: signer.address,
      nonce,
      isCancelRequested: false,
      versions: [version],
      result: null,
    };
    await store.insert(transaction);
    await this.#send(transaction, version);
    return { kind: 'saved', transaction };
  }

  get #isHalted(): boolean {
    return this.#options.isHalted?.() === true;
  }

  // No version costs more than a transaction may, whatever gas it uses.
  #policyFor({ gasLimit }: Pick<TransactionRequest, 'gasLimit'>): TransactionPolicy {
    const { policy, budget = null } = this.#options;
    if (budget === null) return policy;
    const most = budget.perTransaction / gasLimit;
    return { ...policy, feePerGasMax: most < policy.feePerGasMax ? most : policy.feePerGasMax };
  }

  async #isAffordable(request: TransactionRequest, fees: FeeSuggestion): Promise<boolean> {
    const { store, now, budget = null } = this.#options;
    if (budget === null || request.purpose === 'gap') return true;
    const shares = request.purpose === 'settlement' ? 4n : 1n;
    const spent = await store.loadSpent(request.purpose, now() - dayMs);
    return spent + request.gasLimit * fees.maxFeePerGas <= (budget.perDay * shares) / 5n;
  }

  // A nonce below an open one that is unknown to this database and missing from the pool: an old
  // copy was restored, or the key was used elsewhere. Nothing after it could ever be mined.
  async #fillGap(open: readonly OperatorTransaction[], nonce: number): Promise<void> {
    const { node, signer, store, log } = this.#options;
    const isGap = open.length > 0 && open.every((each) => each.nonce > nonce);
    if (!isGap || this.#isHalted) return;
    if ((await node.loadTransactionCount(signer.address, 'pending')) > nonce) return;
    const draft = { to: signer.address, data: '0x', gasLimit: cancelGas, nonce } as const;
    const [suggested, policy] = [await node.loadFees(), this.#policyFor(draft)];
    if (areFeesTooHigh(suggested, policy)) return;
    const fees = limitFees(suggested, policy);
    const version = await this.#sign(draft, 'call', fees);
    const transaction: OperatorTransaction = {
      purpose: 'gap',
      reference: `${signer.address} ${nonce}`,
      sender: signer.address,
      ...draft,
      isCancelRequested: false,
      versions: [version],
      result: null,
    };
    await store.insert(transaction);
    log.error({ nonce }, 'filling an unknown nonce with an empty transaction');
    await this.#send(transaction, version);
  }

  async #tick(cursor: BlockReference): Promise<void> {
    const { node, signer, store } = this.#options;
    const open = await store.listOpen(signer.address);
    if (open.length === 0) return;
    const [fees, countAtHead, countAtCursor] = await Promise.all([
      node.loadFees(),
      node.loadTransactionCount(signer.address, 'latest'),
      node.loadTransactionCount(signer.address, { blockHash: cursor.hash }),
    ]);
    await this.#fillGap(open, countAtHead);
    for (const transaction of open) {
      const sight: TransactionObservation = {
        countAtCursor,
        countAtHead,
        mined:
          countAtCursor > transaction.nonce ? await this.#findMined(transaction, cursor) : null,
        isLatestKnown:
          countAtHead > transaction.nonce ||
          (await node.isTransactionKnown(latestVersion(transaction).hash)),
        fees,
        now: this.#options.now(),
      };
      await this.#act(transaction, { sight, cursor });
    }
  }

  async #findMined(
    { versions }: OperatorTransaction,
    cursor: BlockReference,
  ): Promise<TransactionObservation['mined']> {
    for (const { hash } of versions) {
      const receipt: ChainReceipt | null = await this.#options.node.findReceipt(hash);
      if (receipt !== null && receipt.blockNumber <= cursor.number) {
        return { hash, isSuccess: receipt.isSuccess, blockNumber: receipt.blockNumber };
      }
    }
    return null;
  }

  async #act(
    transaction: OperatorTransaction,
    context: { readonly sight: TransactionObservation; readonly cursor: BlockReference },
  ): Promise<void> {
    const { store, log } = this.#options;
    const { purpose, reference, nonce } = transaction;
    const policy = this.#policyFor(transaction);
    const action: TransactionAction = decideTransaction(transaction, context.sight, policy);
    switch (action.kind) {
      case 'send':
        await this.#send(transaction, latestVersion(transaction));
        return;
      case 'replace': {
        if (this.#isHalted) {
          await this.#send(transaction, latestVersion(transaction));
          return;
        }
        const version = await this.#sign(transaction, action.versionKind, action.fees);
        await store.addVersion(transaction, version);
        log.info({ purpose, reference, nonce, kind: version.kind }, 'transaction replaced');
        await this.#send(transaction, version);
        return;
      }
      case 'finish': {
        const { outcome, hash } = action;
        // The block at which the nonce was seen spent, so that events up to it decide.
        await store.finish(transaction, { outcome, hash, block: context.cursor.number });
        log.info({ purpose, reference, nonce, outcome, hash }, 'transaction finished');
        return;
      }
      case 'stuck':
        log.error({ purpose, reference, nonce }, 'a transaction is stuck at the highest fee');
        await this.#send(transaction, latestVersion(transaction));
        return;
      case 'wait':
        return;
    }
  }

  async #sign(
    request: Pick<OperatorTransaction, 'to' | 'data' | 'gasLimit' | 'nonce'>,
    kind: TransactionVersion['kind'],
    fees: FeeSuggestion,
  ): Promise<TransactionVersion> {
    const { signer, chainId } = this.#options;
    const { nonce } = request;
    const draft =
      kind === 'cancel'
        ? { nonce, to: signer.address, data: '0x' as const, gasLimit: cancelGas }
        : { nonce, to: request.to, data: request.data, gasLimit: request.gasLimit };
    const signed = await signer.signTransaction(chainId, { ...draft, ...fees });
    return {
      ...signed,
      ...fees,
      kind,
      sentAt: null,
      refusal: null,
      refusalCount: 0,
      isTaken: false,
    };
  }

  async #send(transaction: OperatorTransaction, version: TransactionVersion): Promise<void> {
    const { store, now, log } = this.#options;
    const { purpose, reference, nonce } = transaction;
    // The time is saved first: a version that every node refuses also has to become late.
    await store.markSent(version.hash, now());
    const result = await this.#broadcast(version.bytes);
    if (result === null) return;
    const isTaken = result === 'accepted' || result === 'known';
    if (!isTaken) {
      log.warn({ purpose, reference, nonce, result }, 'the node did not accept a transaction');
    }
    await store.noteAnswer(version.hash, isTaken ? null : result);
  }

  // The node's answer proves nothing: whether the nonce is spent in a block decides. So after a
  // failure here the next tick tries again.
  async #broadcast(bytes: Hex): Promise<BroadcastResult | null> {
    const { node, log } = this.#options;
    try {
      return await node.broadcast(bytes);
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      log.warn({ result: error.message }, 'the node did not accept a transaction');
      return null;
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function isUnsent({ versions }: OperatorTransaction): boolean {
  return !versions.some(({ isTaken }) => isTaken);
}

// The maximum that the pending transactions can still cost.
function reservedFor(open: readonly OperatorTransaction[]): bigint {
  return open.reduce(
    (sum, transaction) => sum + transaction.gasLimit * latestVersion(transaction).maxFeePerGas,
    0n,
  );
}
