import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import type { NotificationHandler } from './notification-listener.ts';

interface RowFeedOptions<Row> {
  /** The channel whose notifications carry the id of a new row. */
  readonly channel: string;
  readonly pool: DatabasePool;
  /** Rows could not be read; a later connection reads them. */
  readonly onFailure: (error: string) => void;
  readonly table: 'account_events' | 'vip_changes';
  /** The rows that satisfy the condition, by ascending id. */
  readonly select: (db: Kysely<Tables>, condition: RawBuilder<unknown>) => Promise<readonly Row[]>;
  /** The key of the listeners that receive the row. */
  readonly keyOf: (row: Row) => string;
}

/**
 * New rows of an append-only table: reads each notified row and, after a lost connection, those
 * that were written meanwhile.
 */
export class RowFeed<Row extends { readonly id: number }> implements NotificationHandler {
  readonly channel: string;
  readonly #options: RowFeedOptions<Row>;
  readonly #listeners = new Map<string, Set<(row: Row) => void>>();
  /** The highest id read. Null until the feed first connects. */
  #seen: number | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(options: RowFeedOptions<Row>) {
    this.channel = options.channel;
    this.#options = options;
  }

  listen(key: string, listener: (row: Row) => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners);
    // Two subscriptions of the same function are separate.
    const own = (row: Row): void => listener(row);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  onNotification(payload: string): void {
    // Without listeners there is nothing to read; a later snapshot contains the row.
    if (this.#listeners.size === 0) this.#seen = Math.max(this.#seen ?? 0, Number(payload));
    else this.#inTurn(() => this.#deliver(sql`id = ${payload}`));
  }

  onConnected(): void {
    this.#inTurn(async () => {
      if (this.#seen === null) this.#seen = await this.#selectLast();
      else await this.#deliver(sql`id > ${this.#seen}`);
    });
  }

  async stop(): Promise<void> {
    await this.#reading;
  }

  #inTurn(work: () => Promise<void>): void {
    const { onFailure } = this.#options;
    this.#reading = this.#reading.then(work).catch((error: unknown) => onFailure(String(error)));
  }

  async #selectLast(): Promise<number> {
    const { pool, table } = this.#options;
    const { rows } = await pool.query((db) =>
      sql<{ last: string }>`SELECT coalesce(max(id), 0) AS last FROM ${sql.table(table)}`.execute(
        db,
      ),
    );
    return Number(rows[0]?.last ?? 0);
  }

  async #deliver(condition: RawBuilder<unknown>): Promise<void> {
    const { pool, select, keyOf } = this.#options;
    for (const row of await pool.query((db) => select(db, condition))) {
      this.#seen = Math.max(this.#seen ?? 0, row.id);
      for (const listener of [...(this.#listeners.get(keyOf(row)) ?? [])]) listener(row);
    }
  }
}
