import type { Time } from '../system/time.ts';

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly cancel: (() => void) | null;
}

/** Lets callers wait until the shared log was applied up to a position. */
export class PositionWaiters {
  readonly #time: Pick<Time, 'after'>;
  readonly #waiters = new Set<Waiter>();
  #position = 0;
  #failure: Error | null = null;
  #interruption: Error | null = null;

  constructor(time: Pick<Time, 'after'>) {
    this.#time = time;
  }

  get position(): number {
    return this.#position;
  }

  advance(position: number): void {
    this.#position = position;
    for (const waiter of this.#waiters) {
      if (waiter.position > position) continue;
      this.#forget(waiter);
      waiter.resolve();
    }
  }

  /** Rejects all waiting callers: nothing more will be applied. */
  fail(error: Error): void {
    this.#failure = error;
    this.interrupt(error);
  }

  /** Rejects all callers until it is resumed: nothing more is applied for the moment. */
  interrupt(error: Error): void {
    this.#interruption = error;
    for (const waiter of this.#waiters) {
      this.#forget(waiter);
      waiter.reject(error);
    }
  }

  /** The log is followed again. */
  resume(): void {
    this.#interruption = null;
  }

  /** Rejects with `expired` after the timeout; without one it waits indefinitely. */
  waitFor(position: number, timeoutMs: number | null, expired: () => Error): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (position <= this.#position) return Promise.resolve();
    if (this.#interruption !== null) return Promise.reject(this.#interruption);
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        this.#forget(waiter);
        reject(expired());
      };
      const cancel = timeoutMs === null ? null : this.#time.after(timeoutMs, expire);
      const waiter: Waiter = { position, resolve, reject, cancel };
      this.#waiters.add(waiter);
    });
  }

  #forget(waiter: Waiter): void {
    waiter.cancel?.();
    this.#waiters.delete(waiter);
  }
}
