import { sql } from 'kysely';
import type { EndedSession, EndedSessions } from '../../application/ports/accounts.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { NotificationHandler } from '../notifications/notification-listener.ts';

const endedChannel = 'openbourse_ended_sessions';

/**
 * Ended sessions, all of them also in memory, so that no token needs the database. Other processes
 * report theirs as notifications; what was missed while those were interrupted is read when they
 * resume. Before the first read, each session is looked up.
 */
export class DatabaseEndedSessions implements EndedSessions, NotificationHandler {
  readonly channel = endedChannel;
  readonly #pool: DatabasePool;
  readonly #now: () => number;
  readonly #log: DatabaseLog;
  /** When the session's last token expires, in milliseconds since 1970, by session. */
  readonly #ended = new Map<string, number>();
  #isRead = false;

  constructor(pool: DatabasePool, now: () => number, log: DatabaseLog) {
    this.#pool = pool;
    this.#now = now;
    this.#log = log;
  }

  async end({ id, address, expiresAt }: EndedSession): Promise<void> {
    const expiresAtMs = expiresAt.getTime();
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await sql`
          INSERT INTO ended_sessions (id, address, expires_at)
          VALUES (${id}, ${address}, ${expiresAt}) ON CONFLICT DO NOTHING`.execute(transaction);
        const text = `${id} ${expiresAtMs}`;
        await sql`SELECT pg_notify(${endedChannel}, ${text})`.execute(transaction);
      }),
    );
    this.#add(id, expiresAtMs);
  }

  recall(id: string): boolean | null {
    if (this.#ended.has(id)) return true;
    return this.#isRead ? false : null;
  }

  async has(id: string): Promise<boolean> {
    const known = this.recall(id);
    if (known !== null) return known;
    const { rows } = await this.#pool.query((db) =>
      sql`SELECT FROM ended_sessions WHERE id = ${id}`.execute(db),
    );
    return rows.length > 0;
  }

  onNotification(payload: string): void {
    const [id = '', expiresAtMs] = payload.split(' ');
    this.#add(id, Number(expiresAtMs));
  }

  onConnected(): void {
    void this.#readAll().catch((error: unknown) =>
      this.#log.warn({ error: String(error) }, 'ended sessions could not be read'),
    );
  }

  async #readAll(): Promise<void> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ id: string; expires_at: Date }>`
        SELECT id, expires_at FROM ended_sessions ORDER BY expires_at`.execute(db),
    );
    for (const { id, expires_at: expiresAt } of rows) this.#add(id, expiresAt.getTime());
    this.#isRead = true;
  }

  #add(id: string, expiresAtMs: number): void {
    this.#ended.set(id, expiresAtMs);
    // The oldest come first: those whose tokens have all expired are of no use.
    for (const [oldest, endMs] of this.#ended) {
      if (endMs > this.#now()) break;
      this.#ended.delete(oldest);
    }
  }
}
