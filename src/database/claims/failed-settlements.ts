import { sql, type Transaction } from 'kysely';
import type {
  FailedSettlement,
  FailedSettlements,
  SettlementRetry,
} from '../../application/referral/claim-ports.ts';
import type { Page, PageOf } from '../../application/referral/referral-ports.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import { limitOf } from '../referral/select-traders.ts';
import type { Tables } from '../tables.ts';
import { lockAccount } from './claim-facts.ts';
import { lockSettlement } from './settlement-store.ts';

// Commission that failed three times, and its retry. It returns under the account's next
// generation: an earlier batch, which a reorganization can reopen, does not cover it.

interface FailedRow {
  address: string;
  failed: string;
  count: string;
  error: string;
}

export class DatabaseFailedSettlements implements FailedSettlements {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async list(page: Page): Promise<PageOf<FailedSettlement>> {
    const { rows } = await this.#pool.query((db) =>
      sql<FailedRow>`
        SELECT address, failed, earning.*
        FROM referral_settled AS settled JOIN accounts USING (account_id)
        JOIN LATERAL (
          SELECT count(*), (array_agg(chain_sync_error ORDER BY place DESC))[1] AS error
          FROM referral_earnings
          WHERE beneficiary_id = settled.account_id AND chain_sync_status = 'failed'
        ) AS earning ON true
        WHERE failed > 0 ORDER BY account_id ${limitOf(page)}`.execute(db),
    );
    const counted = await this.#pool.query((db) =>
      sql<{ count: string }>`
        SELECT count(*) FROM referral_settled WHERE failed > 0`.execute(db),
    );
    const items = rows.map((row) => ({
      account: row.address as Address,
      commission: microUsdtOf(row.failed),
      earnings: Number(row.count),
      error: row.error,
    }));
    return { items, total: Number(counted.rows[0]?.count ?? 0) };
  }

  async retry(address: Address): Promise<SettlementRetry> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction): Promise<SettlementRetry> => {
        await lockSettlement(transaction);
        const account = await lockAccount(transaction, address);
        if (account === null) return { kind: 'refused', refusal: 'account_not_found' };
        const failed = await sumFailed(transaction, account);
        if (failed === null) return { kind: 'refused', refusal: 'settlement_not_failed' };
        if (await isUnderWay(transaction, account)) {
          return { kind: 'refused', refusal: 'settlement_under_way' };
        }
        await reopen(transaction, account);
        await recordRetry(transaction, address, failed);
        return { kind: 'retried', commission: microUsdtOf(failed) };
      }),
    );
  }
}

async function sumFailed(
  transaction: Transaction<Tables>,
  account: AccountId,
): Promise<string | null> {
  const row = await transaction
    .selectFrom('referral_settled')
    .select('failed')
    .where('account_id', '=', String(account))
    .where('failed', '>', '0')
    .executeTakeFirst();
  return row?.failed ?? null;
}

// The open batch's total was planned without the failed commission.
async function isUnderWay(transaction: Transaction<Tables>, account: AccountId): Promise<boolean> {
  const row = await transaction
    .selectFrom('settlement_items')
    .select('batch_id')
    .where('account_id', '=', String(account))
    .where('is_open', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

async function reopen(transaction: Transaction<Tables>, account: AccountId): Promise<void> {
  await sql`
    WITH settled AS (
      UPDATE referral_settled SET failed = 0, settle_generation = settle_generation + 1
      WHERE account_id = ${account} RETURNING settle_generation
    )
    UPDATE referral_earnings SET chain_sync_status = 'pending', chain_sync_error = NULL,
      chain_sync_attempts = 0, settle_generation = settled.settle_generation
    FROM settled
    WHERE beneficiary_id = ${account} AND chain_sync_status = 'failed'`.execute(transaction);
}

async function recordRetry(
  transaction: Transaction<Tables>,
  address: Address,
  failed: string,
): Promise<void> {
  const commission = formatMicroUsdt(microUsdtOf(failed));
  const detail = { address, commission };
  await insertAudit(transaction, { action: 'retry_settlement', detail });
}
