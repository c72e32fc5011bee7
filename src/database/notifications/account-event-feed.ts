import { sql } from 'kysely';
import type {
  AccountEvent,
  AccountEventChannel,
  AccountEventFeed,
} from '../../application/account-events.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { NotificationHandler } from './notification-listener.ts';

type Listener = (event: AccountEvent) => void;

interface EventRow {
  readonly id: string;
  readonly address: string;
  readonly channel: AccountEventChannel;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

/** Reads each event that is notified; after a lost connection those that came meanwhile. */
export class DatabaseAccountEventFeed implements AccountEventFeed, NotificationHandler {
  readonly channel = 'account_events';
  readonly #pool: DatabasePool;
  readonly #log: DatabaseLog;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** The highest id that was read; null until the feed first connected. */
  #seen: number | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(pool: DatabasePool, log: DatabaseLog) {
    this.#pool = pool;
    this.#log = log;
  }

  subscribe(address: Address, channel: AccountEventChannel, listener: Listener): () => void {
    const key = keyOf(address, channel);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners);
    // Two subscriptions of one function are two.
    const own: Listener = (event) => listener(event);
    listeners.add(own);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  async listNewest(
    address: Address,
    channel: AccountEventChannel,
    limit: number,
  ): Promise<readonly AccountEvent[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<EventRow>`
        SELECT id, address, channel, data, created_at FROM account_events
        WHERE address = ${address} AND channel = ${channel}
        ORDER BY id DESC LIMIT ${limit}`.execute(db),
    );
    return rows.map(eventFromRow).reverse();
  }

  onNotification(payload: string): void {
    // Where nobody listens there is nothing to read; a later snapshot holds it.
    if (this.#listeners.size === 0) this.#seen = Math.max(this.#seen ?? 0, Number(payload));
    else this.#inTurn(async () => this.#tell(await this.#select(sql`id = ${payload}`)));
  }

  onConnected(): void {
    this.#inTurn(async () => {
      if (this.#seen === null) this.#seen = await this.#selectLast();
      else this.#tell(await this.#select(sql`id > ${this.#seen}`));
    });
  }

  async stop(): Promise<void> {
    await this.#reading;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#reading = this.#reading.then(work).catch((error: unknown) => {
      this.#log.warn({ error: String(error) }, 'events of accounts could not be read');
    });
  }

  async #selectLast(): Promise<number> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ last: string }>`SELECT coalesce(max(id), 0) AS last FROM account_events`.execute(db),
    );
    return Number(rows[0]?.last ?? 0);
  }

  async #select(condition: ReturnType<typeof sql>): Promise<readonly AccountEvent[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<EventRow>`
        SELECT id, address, channel, data, created_at FROM account_events
        WHERE ${condition} ORDER BY id`.execute(db),
    );
    return rows.map(eventFromRow);
  }

  #tell(events: readonly AccountEvent[]): void {
    for (const event of events) {
      this.#seen = Math.max(this.#seen ?? 0, event.id);
      const listeners = this.#listeners.get(keyOf(event.address, event.channel)) ?? [];
      for (const listener of [...listeners]) listener(event);
    }
  }
}

function keyOf(address: Address, channel: AccountEventChannel): string {
  return `${channel} ${address}`;
}

function eventFromRow({ id, address, channel, data, created_at: at }: EventRow): AccountEvent {
  return { id: Number(id), address: address as Address, channel, data, createdAt: at.getTime() };
}
