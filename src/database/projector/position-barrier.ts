import { DatabaseError, type ReadBarrier } from '../../application/ports/database.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { systemTime } from '../../system/system-time.ts';
import type { Time } from '../../system/time.ts';

interface Waiter {
  readonly sequence: Sequence;
  readonly resolve: () => void;
  readonly reject: (error: DatabaseError) => void;
  readonly cancelTimeout: () => void;
}

/** Lets reads wait for the projector; receives each position that the database reaches. */
export class PositionBarrier implements ReadBarrier {
  readonly #timeoutMs: number;
  readonly #time: Pick<Time, 'after'>;
  readonly #waiters = new Set<Waiter>();
  #position = 0 as Sequence;
  #failure: unknown = null;

  constructor(timeoutMs: number, time: Pick<Time, 'after'> = systemTime) {
    this.#timeoutMs = timeoutMs;
    this.#time = time;
  }

  get position(): Sequence {
    return this.#position;
  }

  async waitFor(sequence: Sequence): Promise<void> {
    if (sequence <= this.#position) return;
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        sequence,
        resolve,
        reject,
        cancelTimeout: this.#time.after(this.#timeoutMs, () => this.#expire(waiter)),
      };
      this.#waiters.add(waiter);
    });
  }

  /**
   * Called with the position that the database holds everything up to. It decreases if a replica
   * is promoted that lacks the newest transactions.
   */
  moveTo(position: Sequence): void {
    this.#failure = null;
    this.#position = position;
    for (const waiter of this.#waiters) {
      if (waiter.sequence > this.#position) continue;
      this.#forget(waiter);
      waiter.resolve();
    }
  }

  /** Sets the cause of the error for readers that time out. */
  fail(failure: unknown): void {
    this.#failure = failure;
  }

  #expire(waiter: Waiter): void {
    this.#forget(waiter);
    const distance = `position ${this.#position}, not yet ${waiter.sequence}`;
    const options = this.#failure === null ? {} : { cause: this.#failure };
    waiter.reject(new DatabaseError(`the database is at ${distance}`, options));
  }

  #forget(waiter: Waiter): void {
    waiter.cancelTimeout();
    this.#waiters.delete(waiter);
  }
}
