import type {
  SettlementBatch,
  SettlementStore,
} from '../../../src/application/ports/chain-ledger.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { type MicroUsdt, toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import {
  isSettledBy,
  planSettlement,
  type SettlementItem,
  splitItems,
  statusAfterAttempts,
} from '../../../src/programs/claims/settlement.ts';

interface Commission {
  readonly account: Address;
  readonly amount: MicroUsdt;
  readonly status: 'pending' | 'synced' | 'failed';
  readonly batchId: string | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** Commission that waits for its settlement, in memory, by the rules of the product. */
export class MemorySettlementStore implements SettlementStore {
  commissions: Commission[] = [];
  batches: SettlementBatch[] = [];
  #nextBatch = 1;

  earn(account: Address, amount: bigint): void {
    this.commissions.push({
      account,
      amount: toMicroUsdt(amount),
      status: 'pending',
      batchId: null,
      attempts: 0,
      error: null,
    });
  }

  /** What counting a RewardSettled event does. */
  countSettled(account: Address, settledTotal: MicroUsdt): void {
    for (const { batchId, items } of this.batches) {
      const item = items.find((entry) => entry.account === account);
      if (item === undefined || !isSettledBy(item, settledTotal)) continue;
      this.#change(
        (entry) => entry.batchId === batchId && entry.account === account,
        (entry) => ({ ...entry, status: 'synced', batchId: null }),
      );
      this.#replace(batchId, [items.filter((entry) => entry.account !== account)]);
    }
  }

  statusOf(account: Address): readonly string[] {
    return this.commissions
      .filter((entry) => entry.account === account)
      .map(({ status, error, attempts }) =>
        [status, ...(attempts > 0 ? [attempts] : []), ...(error === null ? [] : [error])].join(' '),
      );
  }

  async planBatches(itemsPerBatchMax: number): Promise<void> {
    const waiting = this.commissions.filter((entry) => this.#isWaiting(entry));
    const accounts = [...new Set(waiting.map(({ account }) => account))];
    const sum = (account: Address, isMeant: (entry: Commission) => boolean): MicroUsdt =>
      this.commissions.reduce<MicroUsdt>(
        (total, entry) =>
          entry.account === account && isMeant(entry) ? toMicroUsdt(total + entry.amount) : total,
        toMicroUsdt(0n),
      );
    const unsettled = accounts.map((account) => ({
      account,
      synced: sum(account, ({ status }) => status === 'synced'),
      pending: sum(account, (entry) => this.#isWaiting(entry)),
    }));
    for (const items of planSettlement(unsettled, itemsPerBatchMax)) this.#open(items);
  }

  async listOpenBatches(): Promise<readonly SettlementBatch[]> {
    return [...this.batches];
  }

  async splitBatch(batchId: string): Promise<void> {
    const batch = this.batches.find((entry) => entry.batchId === batchId);
    this.#replace(batchId, splitItems(batch?.items ?? []));
  }

  async closeBatch(batchId: string): Promise<void> {
    this.#change(
      (entry) => entry.batchId === batchId,
      (entry) => ({ ...entry, batchId: null }),
    );
    this.#replace(batchId, []);
  }

  async countAttempt(batchId: string, error: string): Promise<void> {
    this.#change(
      (entry) => entry.batchId === batchId,
      (entry) => {
        const attempts = entry.attempts + 1;
        const status = statusAfterAttempts(attempts);
        return {
          ...entry,
          attempts,
          status,
          batchId: null,
          error: status === 'failed' ? error : null,
        };
      },
    );
    this.#replace(batchId, []);
  }

  #isWaiting({ account, status, batchId }: Commission): boolean {
    const isInBatch = this.batches.some(({ items }) =>
      items.some((item) => item.account === account),
    );
    return status === 'pending' && batchId === null && !isInBatch;
  }

  #open(items: readonly SettlementItem[]): void {
    const batchId = `${this.#nextBatch}`;
    this.#nextBatch += 1;
    this.#change(
      (entry) =>
        entry.status === 'pending' && items.some(({ account }) => account === entry.account),
      (entry) => ({ ...entry, batchId }),
    );
    this.batches.push({ batchId, items });
  }

  #replace(batchId: string, parts: readonly (readonly SettlementItem[])[]): void {
    this.batches = this.batches.filter((entry) => entry.batchId !== batchId);
    for (const items of parts) if (items.length > 0) this.#open(items);
  }

  #change(
    isMeant: (entry: Commission) => boolean,
    change: (entry: Commission) => Commission,
  ): void {
    this.commissions = this.commissions.map((entry) => (isMeant(entry) ? change(entry) : entry));
  }
}
