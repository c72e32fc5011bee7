import type {
  BlockReference,
  OperatorTransaction,
  SettlementBatch,
  SettlementStore,
  TransactionPurpose,
  TransactionStore,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import {
  type BatchAcceptance,
  decideLeftOver,
  decideSending,
  type SettlementStep,
  type SettlementTrial,
} from '../../programs/claims/settlement.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import type { ChainNode } from '../node/chain-node.ts';
import type { TransactionManager } from '../transactions/transaction-manager.ts';
import { raisedBeyondWindow, settlementCall, trialOf } from './settlement-call.ts';

// One run of the settlement job: plans batches of what waits and advances every open batch by a
// step. Every step is saved before the next one, so a run may end anywhere and the next one
// continues. Commission whose attempt failed waits for the next run.

export interface SettlementRunnerOptions {
  readonly node: ChainNode;
  readonly rewardRouter: Address;
  readonly operator: Address;
  readonly settlements: SettlementStore;
  readonly transactions: TransactionStore;
  readonly manager: Pick<TransactionManager, 'submit'>;
  readonly itemsPerBatchMax: number;
  /**
   * A batch not mined within this time after sending is cancelled, which counts as a failed
   * attempt.
   */
  readonly attemptMsMax: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface SettlementReport {
  readonly sentCount: number;
  /** Why nothing can be settled now; null if nothing prevents it. */
  readonly obstacle: string | null;
}

// A batch uses at most half of a block; a larger one could wait long for a block with enough room.
const blockShare = 2n;
// Estimates are exact for the current state; the batch runs in a later one.
const gasMarginPercent = 125n;
// Halving a batch of n down to single accounts makes at most 2n batches.
const stepsPerRunMax = 1_000;
const windowError = 'SettlementWindowExceeded';

export class SettlementRunner {
  readonly #options: SettlementRunnerOptions;
  /** Whether a batch has met the window's limit since no batch was open. */
  #isWindowTight = false;

  constructor(options: SettlementRunnerOptions) {
    this.#options = options;
  }

  /**
   * The cursor must be the last counted block.
   * @throws ChainUnavailableError, DatabaseError
   */
  async run(cursor: BlockReference): Promise<SettlementReport> {
    const { settlements, itemsPerBatchMax } = this.#options;
    await settlements.planBatches(itemsPerBatchMax);
    return this.#advance(cursor);
  }

  // Advances each open batch by one step, until none is left that this run has not handled.
  async #advance(cursor: BlockReference): Promise<SettlementReport> {
    let sentCount = 0;
    let obstacle: string | null = null;
    const touched = new Set<string>();
    for (let count = 0; count < stepsPerRunMax; count += 1) {
      const batches = await this.#options.settlements.listOpenBatches();
      if (batches.length === 0) this.#isWindowTight = false;
      const batch = batches.find(({ batchId }) => !touched.has(batchId));
      if (batch === undefined) break;
      touched.add(batch.batchId);
      const step = await this.#decide(batch, cursor);
      if (step === null) continue;
      if (step.kind === 'wait') return { sentCount, obstacle: step.error };
      if (step.kind === 'passOver') obstacle = step.error;
      if (step.kind === 'send') sentCount += 1;
      await this.#take(step, batch);
    }
    return { sentCount, obstacle };
  }

  // Null: the batch's transaction is pending.
  async #decide(batch: SettlementBatch, cursor: BlockReference): Promise<SettlementStep | null> {
    const { transactions } = this.#options;
    const purpose = purposeOf(batch);
    const transaction = await transactions.find(purpose);
    if (transaction === null) return this.#trySending(batch);
    const { result } = transaction;
    if (result !== null) {
      if (result.block > cursor.number) return null;
      return decideLeftOver(batch.items.length, result.outcome, acceptanceOf(transaction));
    }
    if (!transaction.isCancelRequested && this.#isOverdue(transaction)) {
      this.#options.log.warn({ batchId: batch.batchId }, 'settlement is overdue and is cancelled');
      await transactions.requestCancel(purpose);
    }
    return null;
  }

  #isOverdue({ versions: [first] }: OperatorTransaction): boolean {
    const { now, attemptMsMax } = this.#options;
    if (first === undefined || first.sentAt === null) return false;
    return now() - first.sentAt >= attemptMsMax;
  }

  async #trySending(batch: SettlementBatch): Promise<SettlementStep> {
    const { rewardRouter, operator, manager, node } = this.#options;
    const data = settlementCall(batch.items);
    const call = { from: operator, to: rewardRouter, data };
    let gasLimit: bigint;
    let trial: SettlementTrial = { kind: 'accepted' };
    try {
      const gas = await node.estimateGas(call);
      gasLimit = (gas * gasMarginPercent) / 100n;
      const gasMax = (await node.loadGasLimitOfBlock()) / blockShare;
      if (gasLimit > gasMax) trial = { kind: 'tooLarge' };
    } catch (error) {
      return decideSending(batch.items.length, await this.#judge(error));
    }
    const step = decideSending(batch.items.length, trial);
    if (step.kind !== 'send') return step;
    // The trial does not see what another batch is about to use of the window.
    if (this.#isWindowTight && (await this.#isAnyUnderWay())) {
      return { kind: 'wait', error: windowError };
    }
    const sent = await manager.submit({ ...purposeOf(batch), to: rewardRouter, data, gasLimit });
    switch (sent.kind) {
      case 'saved':
        return step;
      case 'insufficientFunds':
        return { kind: 'wait', error: 'the operator account cannot pay for gas' };
      case 'feesTooHigh':
        return { kind: 'wait', error: 'the fees of the chain are above the limit' };
      case 'budgetUsed':
        return { kind: 'wait', error: 'the daily gas budget is used up' };
      case 'tooMany':
        return { kind: 'wait', error: 'too many transactions are in flight' };
      case 'earlierUnsent':
        return { kind: 'wait', error: 'no node has accepted an earlier transaction yet' };
    }
  }

  async #judge(error: unknown): Promise<SettlementTrial> {
    const raised = raisedBeyondWindow(error);
    if (raised === null) return trialOf(error);
    const { node, rewardRouter: address } = this.#options;
    const query = { address, abi: rewardRouterAbi, functionName: 'settlementMax' } as const;
    this.#isWindowTight = true;
    return {
      kind: 'beyondWindow',
      raised,
      most: await readContract(node, query),
      error: windowError,
    };
  }

  async #isAnyUnderWay(): Promise<boolean> {
    const { settlements, transactions } = this.#options;
    for (const batch of await settlements.listOpenBatches()) {
      if ((await transactions.find(purposeOf(batch))) !== null) return true;
    }
    return false;
  }

  async #take(step: SettlementStep, { batchId, items }: SettlementBatch): Promise<void> {
    const { settlements, log } = this.#options;
    switch (step.kind) {
      case 'split':
        await settlements.splitBatch(batchId);
        return;
      case 'planAgain':
        await settlements.closeBatch(batchId);
        return;
      case 'countAttempt':
        log.error({ batchId, accounts: items.length, error: step.error }, 'settlement failed');
        await settlements.countAttempt(batchId, step.error);
        return;
      case 'send':
      case 'wait':
      case 'passOver':
        return;
    }
  }
}

function acceptanceOf({ versions }: OperatorTransaction): BatchAcceptance {
  const calls = versions.filter(({ kind }) => kind === 'call');
  if (calls.some(({ isTaken }) => isTaken)) return 'accepted';
  return calls.some(({ refusal }) => refusal === 'gas_limit') ? 'refused_for_gas' : 'refused';
}

function purposeOf({ batchId }: SettlementBatch): TransactionPurpose {
  return { purpose: 'settlement', reference: batchId };
}
