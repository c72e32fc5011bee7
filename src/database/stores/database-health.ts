import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseHealth } from '../../application/ports/database.ts';
import type { DatabasePool } from '../database-pool.ts';

const answerMs = 1_000;

type Answer = 'reachable' | 'unreachable' | 'silent';

/** Reachable means that the tables exist and respond, and belong to this journal. */
export class DatabaseHealthCheck implements DatabaseHealth {
  readonly #pool: DatabasePool;
  readonly #isForeign: () => boolean;
  #asking: Promise<Answer> | null = null;

  /** `isForeign`: the database is known to hold what the journal does not. */
  constructor(pool: DatabasePool, isForeign: () => boolean) {
    this.#pool = pool;
    this.#isForeign = isForeign;
  }

  async isReachable(timeoutMs = answerMs): Promise<boolean> {
    for (let waitedMs = answerMs; ; waitedMs += answerMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null;
      });
      const answer = await this.#asking;
      if (answer !== 'silent' || waitedMs >= timeoutMs) return answer === 'reachable';
    }
  }

  async #ask(): Promise<Answer> {
    if (this.#isForeign()) return 'unreachable';
    const end = new AbortController();
    const answer = this.#pool
      .query((db) => db.selectFrom('projector_position').select('position').execute())
      .then(
        (rows): Answer => (rows.length > 0 ? 'reachable' : 'unreachable'),
        (): Answer => 'unreachable',
      );
    const { signal } = end;
    const timeout = delay(answerMs, undefined, { signal }).then(
      (): Answer => 'silent',
      (): Answer => 'silent',
    );
    const found = await Promise.race([answer, timeout]);
    end.abort();
    return found;
  }
}
