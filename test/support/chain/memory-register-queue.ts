import type {
  RegisterBatch,
  RegisterChange,
  RegisterQueue,
} from '../../../src/application/ports/chain-ledger.ts';

/** Changes of the public register that wait, in memory. */
export class MemoryRegisterQueue implements RegisterQueue {
  #changes: RegisterChange[] = [];
  #open: RegisterBatch | null = null;
  #batches = 0;

  get length(): number {
    return this.#changes.length;
  }

  add(...changes: readonly RegisterChange[]): void {
    this.#changes.push(...changes);
  }

  async openBatch(changesMax: number): Promise<RegisterBatch | null> {
    if (this.#open === null && this.#changes.length > 0) {
      this.#batches += 1;
      this.#open = { batchId: `${this.#batches}`, changes: this.#changes.slice(0, changesMax) };
    }
    return this.#open;
  }

  async finishBatch(batchId: string): Promise<void> {
    if (this.#open?.batchId !== batchId) return;
    this.#changes = this.#changes.slice(this.#open.changes.length);
    this.#open = null;
  }

  async releaseBatch(batchId: string): Promise<void> {
    if (this.#open?.batchId === batchId) this.#open = null;
  }
}
