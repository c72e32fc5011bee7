import type { Sequence } from '../domain/identifiers.ts';

declare global {
  // The compiler's library of this version does not know it yet.
  interface Atomics {
    waitAsync(
      cells: BigInt64Array,
      index: number,
      value: bigint,
      timeoutMs: number,
    ): { readonly async: boolean; readonly value: unknown };
  }
}

const unknown = -1n;
// A thread that nothing wakes looks again after this long.
const lookAgainMs = 1_000;

/** The last durable sequence, told by the sequencer to whoever follows the journal. */
export interface DurableSignal {
  /** Null until the first is published: the journal is still being recovered. */
  readonly sequence: Sequence | null;
  publish(sequence: Sequence): void;
  /** Resolves once the sequence is another one than this, or after a while. */
  changedFrom(sequence: Sequence | null): Promise<void>;
  /** Makes those who wait look again. */
  wake(): void;
}

/** Tells it to other threads. */
export class ThreadSignal implements DurableSignal {
  /** To be handed to the other thread, which makes its own signal of it. */
  readonly memory: SharedArrayBuffer;
  readonly #cell: BigInt64Array;

  constructor(memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    this.#cell = new BigInt64Array(this.memory);
    if (memory === undefined) this.#cell[0] = unknown;
  }

  get sequence(): Sequence | null {
    const value = Atomics.load(this.#cell, 0);
    return value === unknown ? null : (Number(value) as Sequence);
  }

  publish(sequence: Sequence): void {
    Atomics.store(this.#cell, 0, BigInt(sequence));
    Atomics.notify(this.#cell, 0);
  }

  async changedFrom(sequence: Sequence | null): Promise<void> {
    const known = sequence === null ? unknown : BigInt(sequence);
    await Atomics.waitAsync(this.#cell, 0, known, lookAgainMs).value;
  }

  wake(): void {
    Atomics.notify(this.#cell, 0);
  }
}
