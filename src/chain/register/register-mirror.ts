import type {
  BlockReference,
  RegisterBatch,
  RegisterQueue,
  TransactionStore,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import { type ChainNode, ChainRevertedError } from '../node/chain-node.ts';
import { revertName } from '../revert-name.ts';
import type { TransactionManager } from '../transactions/transaction-manager.ts';
import { registerCall } from './register-call.ts';

// Mirrors codes, bindings and terms to the public register on chain. The register overwrites its
// values, so changes that arrive twice do no harm; they only have to arrive in order. So there is
// one batch at a time, and it leaves the queue when the block that contains it is counted.

export interface RegisterMirrorOptions {
  readonly node: ChainNode;
  readonly register: Address;
  readonly operator: Address;
  readonly queue: RegisterQueue;
  readonly transactions: TransactionStore;
  readonly manager: Pick<TransactionManager, 'submit'>;
  readonly changesPerBatchMax: number;
  readonly log: Logger;
}

const gasMarginPercent = 125n;
// These errors do not concern the changes: the contract or the key is not ready for any.
const generalErrors = ['NotOperator', 'EnforcedPause'];

export class RegisterMirror {
  readonly #options: RegisterMirrorOptions;

  constructor(options: RegisterMirrorOptions) {
    this.#options = options;
  }

  /**
   * Sends the waiting changes in successive batches, as far as the cursor, the last counted block,
   * allows.
   * @throws ChainUnavailableError, DatabaseError
   */
  async run(cursor: BlockReference): Promise<void> {
    const { queue, changesPerBatchMax } = this.#options;
    let changesMax = changesPerBatchMax;
    for (;;) {
      const batch = await queue.openBatch(changesMax);
      if (batch === null) return;
      const step = await this.#advance(batch, cursor);
      switch (step) {
        case 'wait':
          return;
        case 'finish':
          await queue.finishBatch(batch.batchId);
          changesMax = changesPerBatchMax;
          break;
        case 'again':
          await queue.releaseBatch(batch.batchId);
          break;
        case 'halve':
          await queue.releaseBatch(batch.batchId);
          changesMax = Math.ceil(batch.changes.length / 2);
          break;
      }
    }
  }

  async #advance(
    batch: RegisterBatch,
    cursor: BlockReference,
  ): Promise<'wait' | 'finish' | 'again' | 'halve'> {
    const { batchId } = batch;
    const transaction = await this.#options.transactions.find({
      purpose: 'mirror',
      reference: batchId,
    });
    if (transaction === null) return this.#send(batch);
    const { result } = transaction;
    if (result === null || result.block > cursor.number) return 'wait';
    if (result.outcome === 'succeeded') return 'finish';
    const isTooLarge = transaction.versions.some(({ refusal }) => refusal === 'gas_limit');
    return isTooLarge && batch.changes.length > 1 ? 'halve' : 'again';
  }

  async #send({ batchId, changes }: RegisterBatch): Promise<'wait' | 'finish' | 'halve'> {
    const { node, register, operator, manager, log } = this.#options;
    const data = registerCall(changes);
    let gas: bigint;
    try {
      gas = await node.estimateGas({ from: operator, to: register, data });
    } catch (error) {
      if (!(error instanceof ChainRevertedError)) throw error;
      const name = revertName(error.data);
      if (name !== null && generalErrors.includes(name)) return 'wait';
      if (changes.length > 1) return 'halve';
      // The register is informational only: a change that it refuses is left out.
      log.error({ change: changes[0], error: name }, 'the register on chain refuses a change');
      return 'finish';
    }
    const gasLimit = (gas * gasMarginPercent) / 100n;
    await manager.submit({
      purpose: 'mirror',
      reference: batchId,
      to: register,
      data,
      gasLimit,
    });
    return 'wait';
  }
}
