import { sql } from 'kysely';
import type {
  AccountEvent,
  AccountEventChannel,
  AccountEventFeed,
} from '../../application/account-events.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabaseLog } from '../database-log.ts';
import type { DatabasePool } from '../database-pool.ts';
import { RowFeed } from './row-feed.ts';

interface EventRow {
  readonly id: string;
  readonly address: string;
  readonly channel: AccountEventChannel;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
}

/** Publishes account events to the subscribers of their address and channel as they are written. */
export class DatabaseAccountEventFeed extends RowFeed<AccountEvent> implements AccountEventFeed {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool, log: DatabaseLog) {
    super({
      channel: 'account_events',
      pool,
      onFailure: (error) => log.warn({ error }, 'events of accounts could not be read'),
      table: 'account_events',
      select: async (db, condition) => {
        const { rows } = await sql<EventRow>`
          SELECT id, address, channel, data, created_at FROM account_events
          WHERE ${condition} ORDER BY id`.execute(db);
        return rows.map(eventFromRow);
      },
      keyOf: ({ address, channel }) => keyOf(address, channel),
    });
    this.#pool = pool;
  }

  subscribe(
    address: Address,
    channel: AccountEventChannel,
    listener: (event: AccountEvent) => void,
  ): () => void {
    return this.listen(keyOf(address, channel), listener);
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
}

function keyOf(address: Address, channel: AccountEventChannel): string {
  return `${channel} ${address}`;
}

function eventFromRow({ id, address, channel, data, created_at: at }: EventRow): AccountEvent {
  return { id: Number(id), address: address as Address, channel, data, createdAt: at.getTime() };
}
