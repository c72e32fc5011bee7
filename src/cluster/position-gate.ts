interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | null;
}

/** Lets callers wait until the shared log was applied up to a position. */
export class PositionGate {
  readonly #waiters = new Set<Waiter>();
  #position = 0;
  #failure: Error | null = null;

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

  /** Nothing more will be applied. */
  fail(error: Error): void {
    this.#failure = error;
    this.interrupt(error);
  }

  /** Nothing more is applied for now. */
  interrupt(error: Error): void {
    for (const waiter of this.#waiters) {
      this.#forget(waiter);
      waiter.reject(error);
    }
  }

  /** Rejects with `expired` after the timeout; without one it waits for ever. */
  waitFor(position: number, timeoutMs: number | null, expired: () => Error): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (position <= this.#position) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        this.#forget(waiter);
        reject(expired());
      };
      const timer = timeoutMs === null ? null : setTimeout(expire, timeoutMs);
      const waiter: Waiter = { position, resolve, reject, timer };
      this.#waiters.add(waiter);
    });
  }

  #forget(waiter: Waiter): void {
    if (waiter.timer !== null) clearTimeout(waiter.timer);
    this.#waiters.delete(waiter);
  }
}
