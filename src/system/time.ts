/** A process's clocks and timers. */
export interface Time {
  /**
   * Milliseconds since 1970 by the machine's clock, which may be changed while the process runs.
   */
  wallMs(): number;
  /** Milliseconds from an unknown start; never falls, whatever happens to the wall clock. */
  monotonicMs(): number;
  /** Resolves after the delay; rejects with the signal's reason if it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /**
   * Calls back each period until the returned function is called; does not keep the process alive.
   */
  every(periodMs: number, callback: () => void): () => void;
  /** Calls back once this turn of the event loop is over. */
  afterTurn(callback: () => void): void;
  /** Resolves once this turn of the event loop is over. */
  yieldTurn(): Promise<void>;
}

/** Resolves after the delay; rejects with the signal's reason if it is aborted first. */
export function sleepWith(
  after: Time['after'],
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = after(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
