import { ChainError } from '../../application/ports/chain.ts';

// Anonymous callers can query the node through this service, and some nodes charge per call. So an
// answer, even an error, is reused for some seconds, concurrent callers with the same question
// share one call, and the numbers of running and waiting calls are limited.

export interface ReadCacheOptions {
  readonly ttlMs: number;
  readonly errorTtlMs: number;
  readonly entriesMax: number;
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
}

interface Entry {
  readonly answer: Promise<unknown>;
  /** Infinity while the call runs. */
  expiresAt: number;
}

export class ReadCache {
  readonly #options: ReadCacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: ReadCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns the answer to a question, which is queried again only if the last answer is too old.
   * @throws ChainError if too many questions are waiting; whatever the question throws
   */
  async read<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#options.now() < known.expiresAt) {
      return known.answer as Promise<T>;
    }
    const entry: Entry = { answer: this.#ask(ask), expiresAt: Infinity };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#dropOldest();
    const { ttlMs, errorTtlMs, now } = this.#options;
    entry.answer.then(
      () => (entry.expiresAt = now() + ttlMs),
      () => (entry.expiresAt = now() + errorTtlMs),
    );
    return entry.answer as Promise<T>;
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    await this.#takePlace();
    try {
      return await ask();
    } finally {
      // The place goes directly to the call that has waited longest, so that no other can take it.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #takePlace(): Promise<void> {
    const { runningMax, waitingMax } = this.#options;
    if (this.#running < runningMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= waitingMax) throw new ChainError('too many chain queries wait');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.entriesMax) return;
      this.#entries.delete(key);
    }
  }
}
