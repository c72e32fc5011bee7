import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { OutcomeHistory, type OutcomeHistoryOptions } from './outcome-history.ts';
import { OutcomeRing } from './outcome-ring.ts';

export interface OutcomeReaderOptions {
  readonly outcomesKeptMax: number;
  readonly eventsKeptMax: number;
  readonly history: OutcomeHistoryOptions;
  /**
   * The last durable sequence, if it is known before the outcomes up to it are made: readers of
   * later positions wait for them. Without it, the outcomes at hand are all there are.
   */
  readonly journalEnd?: () => Sequence | null;
}

interface Waiter {
  readonly wake: () => void;
  readonly reject: (error: Error) => void;
}

/** Durable outcomes from any position on: recent ones from memory, older ones made again. */
export class OutcomeReader {
  readonly #options: OutcomeReaderOptions;
  readonly #history: OutcomeHistory;
  readonly #waiters = new Set<Waiter>();
  #ring: OutcomeRing | null = null;
  #durable: Sequence | null = null;
  #released = 0 as Sequence;
  #restoredAfter = 0;
  #isClosed = false;

  constructor(options: OutcomeReaderOptions) {
    this.#options = options;
    this.#history = new OutcomeHistory(options.history);
  }

  /** The highest position known to have been released. */
  get released(): Sequence {
    return this.#released;
  }

  release(upTo: Sequence): void {
    if (upTo <= this.#released) return;
    this.#released = upTo;
    // Dropping outcomes while they are young matters: collecting them later costs many times as
    // much.
    this.#ring?.forget(upTo);
  }

  /** How many outcomes are in memory. */
  get keptCount(): number {
    return this.#ring?.count ?? 0;
  }

  /**
   * Announces that the replay will end with this sequence, so outcomes too old to fit are not kept.
   */
  expectEnd(last: number): void {
    this.#restoredAfter = last - this.#options.outcomesKeptMax;
  }

  /** Whether a replayed outcome would still be kept by then. */
  keeps(sequence: Sequence): boolean {
    // Objects that are kept for a while and then dropped cost the garbage collector most.
    return sequence > this.#restoredAfter;
  }

  /** Adds an outcome recovered by replay; readers receive it once all of them are recovered. */
  restore(applied: AppliedCommand): void {
    this.#ringAfter(applied.sequence - 1).push(applied);
  }

  /** The journal ends with this sequence, and all of it is durable. */
  open(durable: Sequence): void {
    this.#ringAfter(durable);
    this.#durable = durable;
    this.#wakeAll();
  }

  push(outcomes: readonly AppliedCommand[]): void {
    const ring = this.#ring!;
    for (const applied of outcomes) ring.push(applied);
    // A position may be released before its outcomes are made: the database can be ahead of a
    // replica.
    ring.forget(this.#released);
    this.#durable = outcomes[outcomes.length - 1]!.sequence;
    if (this.#waiters.size > 0) this.#wakeAll();
  }

  async read(after: Sequence, limitMax: number, signal: AbortSignal): Promise<AppliedCommand[]> {
    for (;;) {
      signal.throwIfAborted();
      const durable = this.#durable;
      if (durable !== null) this.#requireWithin(after, durable);
      if (durable !== null && after < durable) {
        if (this.#ring!.covers(after)) {
          await this.#history.rest();
          return this.#ring!.slice(after, limitMax);
        }
        return this.#history.read(after, Math.min(durable, after + limitMax), signal);
      }
      if (this.#isClosed) throw new EngineRestartingError('the engine is stopped');
      await this.#wait(signal);
    }
  }

  /** Ends the log: nothing more will come, and waiting readers are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiters) {
      reject(new EngineRestartingError('the engine is stopped'));
    }
    this.#waiters.clear();
    await this.#history.close();
  }

  #requireWithin(after: Sequence, durable: Sequence): void {
    const end = this.#options.journalEnd?.() ?? durable;
    if (after <= end) return;
    throw new Error(`position ${after} is beyond the journal, which ends with ${end}`);
  }

  #ringAfter(after: number): OutcomeRing {
    const { outcomesKeptMax, eventsKeptMax } = this.#options;
    this.#ring ??= new OutcomeRing(outcomesKeptMax, eventsKeptMax, after as Sequence);
    return this.#ring;
  }

  #wakeAll(): void {
    for (const { wake } of this.#waiters) wake();
    this.#waiters.clear();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        wake: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
        reject: (error) => {
          signal.removeEventListener('abort', abort);
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
