import { sql } from 'kysely';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';

const writtenEveryMs = 60_000;

/**
 * When API keys were last used, written to the database to the minute. Requests never wait for it,
 * and uses that cannot be written are only logged.
 */
export class KeyUses {
  readonly #pool: DatabasePool;
  readonly #log: DatabaseLog;
  /** The use of each key that was last taken for writing, in milliseconds since 1970. */
  readonly #taken = new Map<string, number>();
  #pending = new Map<string, number>();
  #isWriting = false;

  constructor(pool: DatabasePool, log: DatabaseLog) {
    this.#pool = pool;
    this.#log = log;
  }

  note(apiKey: string, at: number): void {
    const taken = this.#taken.get(apiKey);
    if (taken !== undefined && at - taken < writtenEveryMs) return;
    this.#taken.set(apiKey, at);
    this.#pending.set(apiKey, at);
    if (!this.#isWriting) void this.#write();
  }

  forget(apiKey: string): void {
    this.#taken.delete(apiKey);
  }

  /** Uses that arrive meanwhile are written together afterwards. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#pending.size > 0) {
      const uses = this.#pending;
      this.#pending = new Map();
      await this.#writeAll(uses).catch((error: unknown) =>
        this.#log.warn({ error: String(error) }, 'uses of API keys could not be recorded'),
      );
    }
    this.#isWriting = false;
  }

  async #writeAll(uses: ReadonlyMap<string, number>): Promise<void> {
    const keys = [...uses.keys()];
    const times = [...uses.values()].map((at) => new Date(at).toISOString());
    // Another process may have written a later use.
    await this.#pool.query((db) =>
      sql`
        UPDATE api_keys SET last_used_at = used.at
        FROM unnest(${keys}::text[], ${times}::timestamptz[]) AS used (api_key, at)
        WHERE api_keys.api_key = used.api_key
          AND (api_keys.last_used_at IS NULL OR api_keys.last_used_at < used.at)`.execute(db),
    );
  }
}
