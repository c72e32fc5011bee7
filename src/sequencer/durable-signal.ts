import type { Sequence } from '../domain/identifiers.ts';

declare global {
  // TypeScript's library of this version does not declare it yet.
  interface Atomics {
    waitAsync(
      cells: BigInt64Array,
      index: number,
      value: bigint,
      timeoutMs: number,
    ): { readonly async: boolean; readonly value: unknown };
  }
}

const unpublished = -1n;
// A waiting thread that is not woken checks again after this long.
const recheckMs = 1_000;

/** The last durable sequence, published by the sequencer to the threads that follow the journal. */
export interface DurableSignal {
  /** Null until the first is published: the journal is still being recovered. */
  readonly sequence: Sequence | null;
  publish(sequence: Sequence): void;
  /** Resolves once the sequence differs from the given one, or after a timeout. */
  changedFrom(sequence: Sequence | null): Promise<void>;
  /** Makes waiting threads check again. */
  wake(): void;
}

/** Publishes the sequence to other threads. */
export class ThreadSignal implements DurableSignal {
  /** Passed to the other thread, which constructs its own signal over it. */
  readonly memory: SharedArrayBuffer;
  readonly #cell: BigInt64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    this.#cell = new BigInt64Array(this.memory);
    if (memory === undefined) this.#cell[0] = unpublished;
  }

  get sequence(): Sequence | null {
    const value = Atomics.load(this.#cell, 0);
    return value === unpublished ? null : (Number(value) as Sequence);
  }

  publish(sequence: Sequence): void {
    Atomics.store(this.#cell, 0, BigInt(sequence));
    Atomics.notify(this.#cell, 0);
  }

  async changedFrom(sequence: Sequence | null): Promise<void> {
    const known = sequence === null ? unpublished : BigInt(sequence);
    await Atomics.waitAsync(this.#cell, 0, known, recheckMs).value;
  }

  wake(): void {
    Atomics.notify(this.#cell, 0);
  }
}
