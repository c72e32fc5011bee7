import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  RegisterBatch,
  RegisterChange,
  RegisterQueue,
} from '../../application/ports/chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { decimalOf } from '../column-values.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { RegisterChangesTable } from '../referral/referral-tables.ts';
import type { Tables } from '../tables.ts';

// Changes that the on-chain register does not show yet. They are written in the transactions that
// cause them and leave in order, one batch at a time, except for those that the register already
// shows. Per account and kind, at most one leaves in each rest period, whatever its owner does.

type ChangeRow = Selectable<RegisterChangesTable>;

export interface RegisterQueueOptions {
  readonly pool: DatabasePool;
  /** How long an account's state of one kind is not written again, in milliseconds. */
  readonly restMs: number;
  readonly now: () => Date;
}

// Only counts for the register that is written to; another register shows none of this one's state.
const isShown = sql`shown.kind = change.kind AND shown.address = change.address
  AND shown.contract_id IS NOT DISTINCT FROM active_contract('referralRebate')`;

export class DatabaseRegisterQueue implements RegisterQueue {
  readonly #options: RegisterQueueOptions;

  constructor(options: RegisterQueueOptions) {
    this.#options = options;
  }

  get #pool(): DatabasePool {
    return this.#options.pool;
  }

  async openBatch(changesMax: number): Promise<RegisterBatch | null> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await sql`SELECT pg_advisory_xact_lock(hashtextextended('register', 0))`.execute(
          transaction,
        );
        const open = await transaction
          .selectFrom('register_changes')
          .select('id')
          .where('batch_id', 'is not', null)
          .limit(1)
          .executeTakeFirst();
        if (open === undefined) await this.#fillBatch(transaction, changesMax);
        const rows = await transaction
          .selectFrom('register_changes')
          .selectAll()
          .where('batch_id', 'is not', null)
          .orderBy('id')
          .execute();
        const batchId = rows[0]?.batch_id ?? null;
        return batchId === null ? null : { batchId, changes: rows.map(changeFromRow) };
      }),
    );
  }

  async finishBatch(batchId: string): Promise<void> {
    const now = this.#options.now();
    await this.#pool.query((db) =>
      sql`
        WITH done AS (DELETE FROM register_changes WHERE batch_id = ${batchId} RETURNING *)
        INSERT INTO register_shown (kind, address, code, tier_level, rebate_rate, shown_at)
        SELECT DISTINCT ON (kind, address) kind, address, code, tier_level, rebate_rate,
          ${now}::timestamptz
        FROM done ORDER BY kind, address, id DESC
        ON CONFLICT (kind, address) DO UPDATE SET
          contract_id = excluded.contract_id, code = excluded.code,
          tier_level = excluded.tier_level, rebate_rate = excluded.rebate_rate,
          shown_at = excluded.shown_at`.execute(db),
    );
  }

  async releaseBatch(batchId: string): Promise<void> {
    await this.#pool.query((db) =>
      db
        .updateTable('register_changes')
        .set({ batch_id: null })
        .where('batch_id', '=', batchId)
        .execute(),
    );
  }

  async #fillBatch(transaction: Transaction<Tables>, changesMax: number): Promise<void> {
    const { now, restMs } = this.#options;
    await sql`
    DELETE FROM register_changes AS change USING register_shown AS shown
    WHERE change.batch_id IS NULL AND ${isShown}
      AND (change.code, change.tier_level, change.rebate_rate)
        IS NOT DISTINCT FROM (shown.code, shown.tier_level, shown.rebate_rate)`.execute(
      transaction,
    );
    const { rows } = await sql<{ id: string }>`SELECT nextval('register_batches') AS id`.execute(
      transaction,
    );
    await sql`
    UPDATE register_changes SET batch_id = ${rows[0]?.id}
    WHERE id IN (
      SELECT id FROM register_changes AS change
      WHERE NOT EXISTS (
        SELECT FROM register_shown AS shown
        WHERE ${isShown} AND shown_at > ${new Date(now().getTime() - restMs)}::timestamptz)
      ORDER BY id LIMIT ${changesMax})`.execute(transaction);
  }
}

function changeFromRow(row: ChangeRow): RegisterChange {
  const address = row.address as Address;
  if (row.kind === 'binding') return { kind: 'binding', trader: address, code: row.code };
  if (row.kind === 'code') {
    assert(row.code !== null, 'a code is registered under its text');
    return { kind: 'code', code: row.code, owner: address };
  }
  assert(row.tier_level !== null && row.rebate_rate !== null, 'terms have a tier and a rate');
  return {
    kind: 'terms',
    account: address,
    tierLevel: row.tier_level,
    rebateBps: Number(decimalOf(row.rebate_rate) / decimalUnitsPerBps),
  };
}

const decimalUnitsPerBps = 10n ** 14n;
