import type { BlockReference } from '../../../src/application/ports/chain-ledger.ts';
import { EventListener } from '../../../src/chain/events/event-listener.ts';
import {
  type SettlementReport,
  SettlementRunner,
} from '../../../src/chain/settlement/settlement-runner.ts';
import { TransactionManager } from '../../../src/chain/transactions/transaction-manager.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { createLogger } from '../../../src/observability/log.ts';
import { MemorySettlementStore } from './memory-settlement-store.ts';
import { MemoryTransactionStore } from './memory-transaction-store.ts';
import { SettlingLedger } from './settling-ledger.ts';
import type { TestChain } from './test-chain.ts';

/** What settles commission on a test chain: batches of eight, cancelled after 15 minutes. */
export class SettlingChain {
  readonly settlements = new MemorySettlementStore();
  readonly transactions = new MemoryTransactionStore();
  /** In milliseconds. */
  now = 1_000_000;
  readonly #listener: EventListener;
  readonly #manager: TransactionManager;
  readonly #runner: SettlementRunner;

  constructor({ node, signer, contracts, chainId }: TestChain, startBlock: number) {
    const { settlements, transactions } = this;
    const shared = { node, log: createLogger('silent'), now: () => this.now };
    this.#listener = new EventListener({
      ...shared,
      contracts,
      confirmations: 0,
      ledger: new SettlingLedger(settlements),
      findStartBlock: async () => ({ number: startBlock, isFirst: false }),
    });
    this.#manager = new TransactionManager({
      ...shared,
      signer,
      chainId,
      store: transactions,
      policy: { replaceAfterMs: 48_000, feeMultipleMax: 5n, feePerGasMax: 10n ** 12n },
    });
    this.#runner = new SettlementRunner({
      ...shared,
      settlements,
      transactions,
      manager: this.#manager,
      rewardRouter: contracts.rewardRouter,
      operator: signer.address,
      itemsPerBatchMax: 8,
      attemptMsMax: 900_000,
    });
  }

  /** Counts from the chain's present block on. */
  static async start(chain: TestChain): Promise<SettlingChain> {
    return new SettlingChain(chain, Number(await chain.client.getBlockNumber({ cacheTime: 0 })));
  }

  async catchUp(): Promise<BlockReference> {
    const cursor = await this.#listener.poll();
    await this.#manager.tick(cursor);
    return cursor;
  }

  async run(): Promise<SettlementReport> {
    return this.#runner.run(await this.catchUp());
  }

  attempts(): readonly number[] {
    return this.settlements.commissions.map((each) => each.attempts);
  }

  /** Of each transaction; undefined while it is in flight. */
  outcomes(): readonly (string | undefined)[] {
    return this.transactions.transactions.map(({ result }) => result?.outcome);
  }
}

/** An account of which the chain knows nothing else. */
export function earnerOf(seed: number): Address {
  return `0x${(0xacc000 + seed).toString(16).padStart(40, '0')}` as Address;
}
