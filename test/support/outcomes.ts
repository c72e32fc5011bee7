import { setTimeout as delay } from 'node:timers/promises';
import type { AppliedCommand, OutcomeLog } from '../../src/application/ports.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';

/** Outcomes in memory: what a journal would give the projector. */
export class MemoryOutcomeLog implements OutcomeLog {
  readonly #outcomes: AppliedCommand[] = [];
  #wake: () => void = () => undefined;
  released = 0 as Sequence;
  /** Batches are cut to this, so that tests see many. */
  batchMax = Number.POSITIVE_INFINITY;

  append(...outcomes: readonly AppliedCommand[]): void {
    this.#outcomes.push(...outcomes);
    this.#wake();
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
      const appended = new AbortController();
      this.#wake = () => appended.abort();
      const ended = AbortSignal.any([signal, appended.signal]);
      await delay(60_000, undefined, { signal: ended }).catch(() => undefined);
      signal.throwIfAborted();
    }
    return this.#outcomes.slice(after, after + Math.min(limitMax, this.batchMax));
  }

  release(upTo: Sequence): void {
    this.released = upTo;
  }
}
