import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type {
  CountedContract,
  WaitingEvent,
  WaitingEventFilter,
  WaitingEventStore,
} from '../../application/ports-chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { ChainParkedEventsTable } from './chain-tables.ts';
import { decodeEvent } from './event-codec.ts';

/** The events that wait for an operator. */
export class DatabaseWaitingEvents implements WaitingEventStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async list(filter: WaitingEventFilter): Promise<readonly WaitingEvent[]> {
    const { contract, account, type, limit, after } = filter;
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('chain_parked_events')
        .selectAll()
        .where('ignored_at', 'is', null)
        .$if(contract !== null, (query) => query.where('contract', '=', contract))
        .$if(account !== null, (query) => query.where('account', '=', account))
        .$if(type !== null, (query) => query.where(sql`event->>'type'`, '=', type))
        .$if(after !== null, (query) => query.where('id', '>', after))
        .orderBy('id')
        .limit(limit)
        .execute(),
    );
    return rows.map(waitingEvent);
  }

  async find(id: string): Promise<WaitingEvent | null> {
    const row = await this.#pool.query((db) =>
      db
        .selectFrom('chain_parked_events')
        .selectAll()
        .where('id', '=', id)
        .where('ignored_at', 'is', null)
        .executeTakeFirst(),
    );
    return row === undefined ? null : waitingEvent(row);
  }

  async ignore(id: string, by: string, reason: string): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable('chain_parked_events')
          .set({ ignored_at: this.#now(), ignored_by: by, reason })
          .where('id', '=', id)
          .where('ignored_at', 'is', null)
          .returning(['account', 'event', 'error'])
          .executeTakeFirst();
        if (row === undefined) return false;
        const { account, event, error } = row;
        await transaction
          .insertInto('admin_audit')
          .values({
            action: 'ignore_chain_event',
            detail: JSON.stringify({ id, account, event, error, reason }),
            admin_actor: by,
            sequence: null,
          })
          .execute();
        return true;
      }),
    );
  }
}

function waitingEvent(row: Selectable<ChainParkedEventsTable>): WaitingEvent {
  return {
    id: row.id,
    contract: row.contract as CountedContract,
    account: row.account as Address,
    block: Number(row.block_number),
    event: decodeEvent(row.event),
    error: row.error,
  };
}
