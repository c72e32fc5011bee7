import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseHealth } from '../../application/ports.ts';
import type { DatabasePool } from '../database-pool.ts';

const answerMs = 1_000;

/** Reachable means: the tables are there and answer, and they belong to this journal. */
export class DatabaseHealthCheck implements DatabaseHealth {
  readonly #pool: DatabasePool;
  readonly #isForeign: () => boolean;
  #asking: Promise<boolean> | null = null;

  /** `isForeign`: the database is known to hold what the journal does not. */
  constructor(pool: DatabasePool, isForeign: () => boolean) {
    this.#pool = pool;
    this.#isForeign = isForeign;
  }

  async isReachable(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<boolean> {
    if (this.#isForeign()) return false;
    const end = new AbortController();
    const answer = this.#pool
      .query((db) => db.selectFrom('projector_position').select('position').execute())
      .then(
        (rows) => rows.length > 0,
        () => false,
      );
    const timeout = delay(answerMs, false, { signal: end.signal }).catch(() => false);
    const isReachable = await Promise.race([answer, timeout]);
    end.abort();
    return isReachable;
  }
}
