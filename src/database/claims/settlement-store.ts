import { sql, type Transaction } from 'kysely';
import type { SettlementBatch, SettlementStore } from '../../application/ports/chain-ledger.ts';
import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt, type MicroUsdt, zeroMicroUsdt } from '../../domain/micro-usdt.ts';
import {
  planSettlement,
  type SettlementItem,
  settlementAttemptsMax,
  splitItems,
} from '../../programs/claims/settlement.ts';
import { plainArray } from '../array-parameters.ts';
import type { DatabasePool } from '../database-pool.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';
import { changeSyncStatus, sumOf } from './sync-sums.ts';

// A batch contains, for each account, everything that it earned up to one earning: the total and
// the last earning included are stored together, both of one moment. Later earnings go into a later
// batch.

interface WaitingRow {
  account_id: string;
  address: string;
  synced: string;
  pending: string;
  through: string;
  generation: number;
}

type AttemptedRow = Pick<WaitingRow, 'account_id' | 'through' | 'generation'>;

interface OpenItemRow {
  batch_id: string;
  address: string;
  total: string;
}

/** The minimum value of a settlement. */
export interface SettlementMinimums {
  readonly settleMin: MicroUsdt;
  /** Makes smaller amounts worthwhile: the account can claim with them. */
  readonly minimumClaim: MicroUsdt;
}

const settleAll: SettlementMinimums = { settleMin: zeroMicroUsdt, minimumClaim: zeroMicroUsdt };

export class DatabaseSettlementStore implements SettlementStore {
  readonly #pool: DatabasePool;

  readonly #minimums: SettlementMinimums;

  constructor(pool: DatabasePool, minimums: SettlementMinimums = settleAll) {
    this.#pool = pool;
    this.#minimums = minimums;
  }

  async planBatches(itemsPerBatchMax: number): Promise<void> {
    await this.#change(async (transaction) => {
      const waiting = await selectWaiting(transaction, this.#minimums);
      const rows = new Map(waiting.map((row) => [row.address as Address, row]));
      const accounts = waiting.map((row) => ({
        account: row.address as Address,
        synced: microUsdtOf(row.synced),
        pending: microUsdtOf(row.pending),
      }));
      for (const items of planSettlement(accounts, itemsPerBatchMax)) {
        await insertBatch(transaction, items, rows);
      }
    });
  }

  async listOpenBatches(): Promise<readonly SettlementBatch[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<OpenItemRow>`
        SELECT batch_id, address, total FROM settlement_items JOIN accounts USING (account_id)
        WHERE is_open ORDER BY batch_id, account_id`.execute(db),
    );
    const batches = new Map<string, SettlementItem[]>();
    for (const { batch_id: batchId, address, total } of rows) {
      const items = batches.get(batchId) ?? [];
      batches.set(batchId, items);
      items.push({ account: address as Address, total: microUsdtOf(total) });
    }
    return [...batches].map(([batchId, items]) => ({ batchId, items }));
  }

  async splitBatch(batchId: string): Promise<void> {
    await this.#change(async (transaction) => {
      const { rows } = await sql<{ account_id: string }>`
        SELECT account_id FROM settlement_items WHERE batch_id = ${batchId} AND is_open
        ORDER BY account_id FOR UPDATE`.execute(transaction);
      for (const half of splitItems(rows)) {
        if (half.length === 0) continue;
        const newId = await insertBatchRow(transaction);
        await sql`
          UPDATE settlement_items SET batch_id = ${newId}
          WHERE batch_id = ${batchId} AND is_open
            AND account_id = ANY (${half.map((row) => row.account_id)}::bigint[])`.execute(
          transaction,
        );
      }
    });
  }

  async closeBatch(batchId: string): Promise<void> {
    await this.#change(async (transaction) => {
      await sql`
        UPDATE settlement_items SET is_open = false
        WHERE batch_id = ${batchId} AND is_open`.execute(transaction);
    });
  }

  async countAttempt(batchId: string, error: string): Promise<void> {
    await this.#change(async (transaction) => {
      const { rows } = await sql<AttemptedRow>`
        UPDATE settlement_items SET is_open = false WHERE batch_id = ${batchId} AND is_open
        RETURNING account_id, through_place AS through, generation`.execute(transaction);
      for (const row of rows) await failAttempt(transaction, row, error);
    });
  }

  // Settlement runs in one process, but a second one must be harmless.
  async #change(work: (transaction: Transaction<Tables>) => Promise<void>): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await lockSettlement(transaction);
        await work(transaction);
      }),
    );
  }
}

/** Batches are planned, split and closed under this lock, which ends with the transaction. */
export async function lockSettlement(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('settlement', 0))`.execute(transaction);
}

// Sums and last earning are read in one statement, so they are of one moment.
async function selectWaiting(
  transaction: Transaction<Tables>,
  { settleMin, minimumClaim }: SettlementMinimums,
): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    SELECT account_id, address, synced, pending, through, generation
    FROM (
      SELECT earned.account_id, coalesce(claimable, 0) AS claimable,
        coalesce(claimable + claimed, 0) AS synced,
        coalesce(settle_generation, 0) AS generation,
        spot_direct + futures_direct + spread - coalesce(claimable + claimed + failed, 0)
          AS pending,
        (SELECT max(place) FROM referral_earnings
         WHERE beneficiary_id = earned.account_id AND chain_sync_status = 'pending') AS through
      FROM referral_earned AS earned
      LEFT JOIN referral_settled AS settled ON settled.account_id = earned.account_id
      WHERE spot_direct + futures_direct + spread > coalesce(claimable + claimed + failed, 0)
    ) AS waiting
    JOIN accounts USING (account_id)
    WHERE (pending >= ${formatMicroUsdt(settleMin)}::numeric
        OR claimable + pending >= ${formatMicroUsdt(minimumClaim)}::numeric)
      AND NOT EXISTS (
      SELECT FROM settlement_items AS item
      WHERE item.account_id = waiting.account_id AND is_open)
    ORDER BY account_id`.execute(transaction);
  return rows;
}

async function insertBatch(
  transaction: Transaction<Tables>,
  items: readonly SettlementItem[],
  rows: ReadonlyMap<Address, WaitingRow>,
): Promise<void> {
  const batchId = await insertBatchRow(transaction);
  const waiting = items.map(({ account }) => {
    const row = rows.get(account);
    assert(row !== undefined, 'only accounts that wait are planned');
    return row;
  });
  await sql`
    INSERT INTO settlement_items (batch_id, account_id, total, through_place, generation)
    SELECT ${batchId}::bigint, *
    FROM unnest(${plainArray(waiting.map((row) => row.account_id))}::bigint[],
      ${plainArray(items.map(({ total }) => formatMicroUsdt(total)))}::numeric[],
      ${plainArray(waiting.map((row) => row.through))}::bigint[],
      ${plainArray(waiting.map((row) => String(row.generation)))}::smallint[])`.execute(
    transaction,
  );
}

async function insertBatchRow(transaction: Transaction<Tables>): Promise<string> {
  const { id } = await transaction
    .insertInto('settlement_batches')
    .defaultValues()
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function failAttempt(
  transaction: Transaction<Tables>,
  { account_id: account, through, generation }: AttemptedRow,
  error: string,
): Promise<void> {
  await sql`SELECT FROM accounts WHERE account_id = ${account} FOR NO KEY UPDATE`.execute(
    transaction,
  );
  const attempted = sql`beneficiary_id = ${account} AND place <= ${through}
    AND settle_generation <= ${generation} AND chain_sync_status = 'pending'`;
  await sql`
    UPDATE referral_earnings SET chain_sync_attempts = chain_sync_attempts + 1,
      chain_sync_error = ${error} WHERE ${attempted}`.execute(transaction);
  const failed = await changeSyncStatus(
    transaction,
    sql`UPDATE referral_earnings SET chain_sync_status = 'failed'
        WHERE ${attempted} AND chain_sync_attempts >= ${settlementAttemptsMax}`,
  );
  if (failed.length === 0) return;
  await sql`
    INSERT INTO referral_settled AS settled (account_id, failed)
    VALUES (${account}, ${formatMicroUsdt(sumOf(failed))})
    ON CONFLICT (account_id) DO UPDATE SET failed = settled.failed + excluded.failed`.execute(
    transaction,
  );
}
