import type { AppliedCommand, OutcomeLog } from '../../src/application/ports/exchange.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';

/** Outcomes in memory: what a journal would give the projector. */
export class MemoryOutcomeLog implements OutcomeLog {
  readonly #outcomes: AppliedCommand[] = [];
  readonly #waiting = new Set<() => void>();
  released = 0 as Sequence;
  /** Batches are cut to this, so that tests see many. */
  batchMax = Number.POSITIVE_INFINITY;

  append(...outcomes: readonly AppliedCommand[]): void {
    this.#outcomes.push(...outcomes);
    for (const wake of [...this.#waiting]) wake();
  }

  get last(): Sequence {
    return this.#outcomes.length as Sequence;
  }

  async read(
    after: Sequence,
    limitMax: number,
    signal: AbortSignal,
  ): Promise<readonly AppliedCommand[]> {
    while (this.#outcomes.length <= after) {
      signal.throwIfAborted();
      await this.#change(signal);
      signal.throwIfAborted();
    }
    return this.#outcomes.slice(after, after + Math.min(limitMax, this.batchMax));
  }

  /** Resolves when something is appended or the reader is to end. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  release(upTo: Sequence): void {
    this.released = upTo;
  }
}
