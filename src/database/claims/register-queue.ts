import { type Selectable, sql, type Transaction } from 'kysely';
import type {
  RegisterBatch,
  RegisterChange,
  RegisterQueue,
} from '../../application/ports-chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { decimalOf } from '../referral/decimal-columns.ts';
import type { RegisterChangesTable } from '../referral/referral-tables.ts';
import type { Tables } from '../tables.ts';

// What the register on chain does not show yet. Changes were written in the transactions that made
// them and leave in the order in which they came, one batch at a time.

type ChangeRow = Selectable<RegisterChangesTable>;

export class DatabaseRegisterQueue implements RegisterQueue {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
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
        if (open === undefined) await fillBatch(transaction, changesMax);
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
    await this.#pool.query((db) =>
      db.deleteFrom('register_changes').where('batch_id', '=', batchId).execute(),
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
}

async function fillBatch(transaction: Transaction<Tables>, changesMax: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`SELECT nextval('register_batches') AS id`.execute(
    transaction,
  );
  await sql`
    UPDATE register_changes SET batch_id = ${rows[0]?.id}
    WHERE id IN (SELECT id FROM register_changes ORDER BY id LIMIT ${changesMax})`.execute(
    transaction,
  );
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
