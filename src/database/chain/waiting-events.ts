import { type RawBuilder, type Selectable, sql } from 'kysely';
import type {
  ChainEvent,
  CountedContract,
  HexText,
  VaultDepositedEvent,
} from '../../application/ports/chain-ledger.ts';
import type {
  DepositEnd,
  EventRow,
  OperatorReason,
  UnbookedEnd,
  WaitingEvent,
  WaitingEventFilter,
  WaitingEventStore,
} from '../../application/ports/waiting-events.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { ChainParkedEventsTable } from './chain-tables.ts';
import { decodeEvent } from './event-codec.ts';
import { endDeposit, linkEvent, writeOffDeposit, writeOffEvent } from './event-ends.ts';

const depositPrefix = 'deposit-';

/** The events that wait for an operator. */
export class DatabaseWaitingEvents implements WaitingEventStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async list(filter: WaitingEventFilter): Promise<readonly WaitingEvent[]> {
    const { limit, after } = filter;
    const parked = depositOf(after ?? '') === null ? await this.#listParked(filter) : [];
    const rest = limit - parked.length;
    return rest === 0 ? parked : [...parked, ...(await this.#listDeposits(filter, rest))];
  }

  async #listParked(filter: WaitingEventFilter): Promise<readonly WaitingEvent[]> {
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

  async #listDeposits(
    { contract, account, type, after }: WaitingEventFilter,
    limit: number,
  ): Promise<readonly WaitingEvent[]> {
    if (contract === 'rewardRouter') return [];
    if (type !== null && type !== 'vaultDeposited') return [];
    const position = depositOf(after ?? '') ?? '0';
    return this.#selectDeposits(sql`
      position > ${position} AND account = coalesce(${account}, account)
      ORDER BY waiting.position LIMIT ${limit}`);
  }

  async find(id: string): Promise<WaitingEvent | null> {
    const position = depositOf(id);
    if (position !== null) {
      const [found] = await this.#selectDeposits(sql`position = ${position}`);
      return found ?? null;
    }
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

  async findRow({ account, event }: WaitingEvent): Promise<EventRow | null> {
    const columns = sql`token_address, raw_amount::text AS raw_amount`;
    if (event.type === 'vaultDeposited') {
      return this.#findRow(
        'spot_deposits',
        sql`
        SELECT position::text AS id, ${columns},
          CASE WHEN credited_at IS NULL THEN 'pending' ELSE 'credited' END AS status
        FROM spot_deposits WHERE account = ${account} AND number = ${event.number}`,
      );
    }
    if (event.type === 'vaultReleased' || event.type === 'vaultReleaseQueued') {
      return this.#findRow(
        'withdrawals',
        sql`
        SELECT id::text, ${columns}, status FROM withdrawals
        WHERE account = ${account} AND nonce = ${event.nonce}
        ORDER BY status IN ('expired', 'abandoned'), created_at DESC LIMIT 1`,
      );
    }
    return null;
  }

  async #findRow(table: EventRow['table'], query: RawBuilder<unknown>): Promise<EventRow | null> {
    const { rows } = await this.#pool.query((db) =>
      (
        query as RawBuilder<Record<'id' | 'status' | 'token_address' | 'raw_amount', string>>
      ).execute(db),
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { id, status, token_address: tokenAddress, raw_amount: rawAmount } = row;
    return {
      table,
      id,
      status,
      tokenAddress: tokenAddress as Address,
      rawAmount: BigInt(rawAmount),
    };
  }

  async writeOff(
    id: string,
    word: OperatorReason,
    as: UnbookedEnd = 'write_off',
  ): Promise<boolean> {
    const position = depositOf(id);
    return this.#pool.query((db) =>
      db
        .transaction()
        .execute((transaction) =>
          position === null
            ? writeOffEvent(transaction, { id, as }, { ...word, at: this.#now() })
            : writeOffDeposit(transaction, position, { ...word, at: this.#now() }),
        ),
    );
  }

  async link(id: string, withdrawalId: string, word: OperatorReason): Promise<boolean> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .execute((transaction) =>
          linkEvent(transaction, { id, withdrawalId }, { ...word, at: this.#now() }),
        ),
    );
  }

  async endDeposit(id: string, end: DepositEnd, word: OperatorReason): Promise<boolean> {
    const position = depositOf(id);
    if (position === null) return false;
    return this.#pool.query((db) =>
      db
        .transaction()
        .execute((transaction) =>
          endDeposit(transaction, { position, end }, { ...word, at: this.#now() }),
        ),
    );
  }

  // Deposits that a pass could not credit, and credited ones whose block the chain no longer has.
  async #selectDeposits(which: RawBuilder<unknown>): Promise<readonly WaitingEvent[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<DepositRow>`
        SELECT position::text, account, number::text, token_address, raw_amount::text, tx_hash,
          block_number::text, error
        FROM (
          SELECT *, CASE
            WHEN block_number IS NULL THEN 'vanished'
            WHEN EXISTS (SELECT FROM spot_deposits AS earlier
              WHERE earlier.account = deposit.account AND earlier.number < deposit.number
                AND earlier.credited_at IS NULL AND earlier.block_number IS NOT NULL)
              THEN 'waits for an earlier deposit of the account'
            ELSE coalesce(stuck_reason, 'unknown_token') END AS error
          FROM spot_deposits AS deposit
          WHERE (credited_at IS NULL AND block_number IS NOT NULL AND resolution IS NULL
              AND stuck_at IS NOT NULL)
            OR (block_number IS NULL AND vanishing_written_off_at IS NULL)
        ) AS waiting
        WHERE ${which}`.execute(db),
    );
    return rows.map(waitingDeposit);
  }
}

interface DepositRow {
  readonly position: string;
  readonly account: string;
  readonly number: string;
  readonly token_address: string;
  readonly raw_amount: string;
  readonly tx_hash: string;
  readonly block_number: string | null;
  readonly error: string;
}

/** The position of the deposit that an id names. */
function depositOf(id: string): string | null {
  return id.startsWith(depositPrefix) ? id.slice(depositPrefix.length) : null;
}

function waitingDeposit(row: DepositRow): WaitingEvent {
  const account = row.account as Address;
  const event: VaultDepositedEvent = {
    type: 'vaultDeposited',
    account,
    token: row.token_address as Address,
    rawAmount: BigInt(row.raw_amount),
    number: Number(row.number),
    transactionHash: row.tx_hash as HexText,
    // Not stored: its number and transaction identify it.
    logIndex: 0,
  };
  return {
    id: `${depositPrefix}${row.position}`,
    contract: 'spotVault',
    account,
    block: row.block_number === null ? null : Number(row.block_number),
    blockHash: null,
    event,
    error: row.error,
  };
}

function waitingEvent(row: Selectable<ChainParkedEventsTable>): WaitingEvent {
  const event: ChainEvent = decodeEvent(row.event);
  return {
    id: row.id,
    contract: row.contract as CountedContract,
    account: row.account as Address,
    block: Number(row.block_number),
    blockHash: row.block_hash as HexText,
    event,
    error: row.error,
  };
}
