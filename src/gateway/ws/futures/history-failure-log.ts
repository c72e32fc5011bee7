import type { StreamClock } from '../stream-clock.ts';
import type { StreamLog } from '../stream-ports.ts';

const lineEveryMs = 10_000;

/** Logs that the history of streams cannot be read: at most one line per ten seconds. */
export class HistoryFailureLog {
  readonly #parts: { readonly clock: StreamClock; readonly log: StreamLog };
  #failures = 0;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: { readonly clock: StreamClock; readonly log: StreamLog }) {
    this.#parts = parts;
  }

  report(error: unknown): void {
    const { clock, log } = this.#parts;
    this.#failures += 1;
    if (clock.elapsed() - this.#loggedAt < lineEveryMs) return;
    this.#loggedAt = clock.elapsed();
    log.warn({ err: error, failures: this.#failures }, 'streams wait for their history');
    this.#failures = 0;
  }
}
