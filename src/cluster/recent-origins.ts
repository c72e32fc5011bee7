import type { Time } from '../system/time.ts';
import type { Origin } from './log-entry.ts';
import { outcomeTimeoutMs } from './request-forwarder.ts';

interface GroupOrigins {
  /** The sequence of the group's first record. */
  readonly first: number;
  readonly origins: readonly Origin[];
  readonly notedAt: number;
}

// No caller waits for an older request any more.
const keptMs = outcomeTimeoutMs + 3_000;
const spentMax = 1_000;

/**
 * The requests that the newest commands came from, so that a process which puts commands back into
 * the log can name them: a caller that waits for one of them gets its outcome.
 */
export class RecentOrigins {
  readonly #time: Pick<Time, 'monotonicMs'>;
  #groups: GroupOrigins[] = [];
  #spent = 0;
  #unknownThrough: number;
  #unknownSince: number;

  /** This process does not know the requests of the commands up to `unknownThrough`. */
  constructor(time: Pick<Time, 'monotonicMs'>, unknownThrough: number) {
    this.#time = time;
    this.#unknownThrough = unknownThrough;
    this.#unknownSince = time.monotonicMs();
  }

  /** Notes the origins of the group that begins with that command. */
  note(first: number, origins: readonly Origin[]): void {
    if (origins.length === 0) return;
    const notedAt = this.#time.monotonicMs();
    while ((this.#groups[this.#spent]?.notedAt ?? Infinity) < notedAt - keptMs) this.#spent += 1;
    if (this.#spent > spentMax) {
      this.#groups = this.#groups.slice(this.#spent);
      this.#spent = 0;
    }
    this.#groups.push({ first, origins, notedAt });
  }

  /** Notes a group without known origins, which ends with that command. */
  noteUnknown(last: number): void {
    this.#unknownThrough = Math.max(this.#unknownThrough, last);
    this.#unknownSince = this.#time.monotonicMs();
  }

  /**
   * The origins of the commands from one sequence to another, both included; null if a request that
   * someone may still wait for is perhaps not known.
   */
  between(first: number, last: number): readonly Origin[] | null {
    const isOld = this.#time.monotonicMs() - this.#unknownSince > keptMs;
    if (first <= this.#unknownThrough && !isOld) return null;
    const found = new Map<number, Origin>();
    for (const group of this.#groups.slice(this.#spent)) {
      for (const origin of group.origins) {
        const sequence = group.first + origin.place;
        if (sequence < first || sequence > last) continue;
        found.set(sequence, { ...origin, place: sequence - first });
      }
    }
    return [...found.values()];
  }
}
