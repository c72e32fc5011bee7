import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { AccountId } from '../../domain/identifiers.ts';
import {
  formatMicroUsdt,
  type MicroUsdt,
  toMicroUsdt,
  zeroMicroUsdt,
} from '../../domain/micro-usdt.ts';
import { plainArray } from '../array-parameters.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import type { Tables } from '../tables.ts';

// Commission that the chain settles or takes back is also moved between the sums.

/** Changed rows of an account, by the keys of their sums. */
export interface ChangedCommission {
  readonly type: string;
  readonly sourceId: string;
  readonly businessLine: string;
  /** The full hour in milliseconds since 1970. */
  readonly hour: string;
  readonly commission: MicroUsdt;
}

interface ChangedColumns {
  type: string;
  source_id: string;
  business_line: string;
  hour: string;
  commission: string;
}

/** Runs an UPDATE of referral_earnings and sums what it changed. */
export async function changeSyncStatus(
  transaction: Transaction<Tables>,
  update: RawBuilder<unknown>,
): Promise<readonly ChangedCommission[]> {
  const { rows } = await sql<ChangedColumns>`
    WITH changed AS (${update} RETURNING type, source_id, business_line, commission, created_at)
    SELECT type, source_id, business_line, sum(commission) AS commission,
      (extract(epoch FROM date_trunc('hour', created_at, 'UTC')) * 1000)::bigint AS hour
    FROM changed GROUP BY 1, 2, 3, 5`.execute(transaction);
  return rows.map((row) => ({
    type: row.type,
    sourceId: row.source_id,
    businessLine: row.business_line,
    hour: row.hour,
    commission: microUsdtOf(row.commission),
  }));
}

/** Adds the commission to what is settled. */
export async function addSettled(
  transaction: Transaction<Tables>,
  account: AccountId,
  changed: readonly ChangedCommission[],
): Promise<void> {
  await sql`
    INSERT INTO referral_settled AS settled (account_id, claimable)
    VALUES (${account}, ${formatMicroUsdt(sumOf(changed))})
    ON CONFLICT (account_id)
      DO UPDATE SET claimable = settled.claimable + excluded.claimable`.execute(transaction);
  await sql`
    INSERT INTO referral_source_settled AS settled
      (beneficiary_id, type, source_id, business_line, commission)
    SELECT ${account}::bigint, * FROM ${sourceSums(changed)} AS batch
    ON CONFLICT (beneficiary_id, type, source_id, business_line)
      DO UPDATE SET commission = settled.commission + excluded.commission`.execute(transaction);
  await sql`
    INSERT INTO referral_settled_hours AS settled
      (beneficiary_id, trader_id, hour, business_line, commission)
    SELECT ${account}::bigint, * FROM ${hourSums(changed)} AS batch
    ON CONFLICT (beneficiary_id, trader_id, hour, business_line)
      DO UPDATE SET commission = settled.commission + excluded.commission`.execute(transaction);
}

/** Subtracts commission that was added before. */
export async function subtractSettled(
  transaction: Transaction<Tables>,
  account: AccountId,
  changed: readonly ChangedCommission[],
): Promise<void> {
  await sql`
    UPDATE referral_settled SET claimable = claimable - ${formatMicroUsdt(sumOf(changed))}::numeric
    WHERE account_id = ${account}`.execute(transaction);
  await sql`
    UPDATE referral_source_settled AS settled
    SET commission = settled.commission - batch.commission
    FROM ${sourceSums(changed)} AS batch
    WHERE beneficiary_id = ${account} AND settled.type = batch.type
      AND settled.source_id = batch.source_id
      AND settled.business_line = batch.business_line`.execute(transaction);
  await sql`
    UPDATE referral_settled_hours AS settled
    SET commission = settled.commission - batch.commission
    FROM ${hourSums(changed)} AS batch
    WHERE beneficiary_id = ${account} AND settled.trader_id = batch.trader_id
      AND settled.hour = batch.hour
      AND settled.business_line = batch.business_line`.execute(transaction);
}

function sourceSums(changed: readonly ChangedCommission[]): RawBuilder<unknown> {
  return sql`(
    SELECT type, source_id, business_line, sum(amount) AS commission
    FROM unnest(${plainArray(changed.map(({ type }) => type))}::text[],
      ${plainArray(changed.map(({ sourceId }) => sourceId))}::bigint[],
      ${plainArray(changed.map(({ businessLine }) => businessLine))}::text[],
      ${amountsOf(changed)}::numeric[]) AS entry (type, source_id, business_line, amount)
    GROUP BY 1, 2, 3)`;
}

// Only directly earned commission is queried by day.
function hourSums(changed: readonly ChangedCommission[]): RawBuilder<unknown> {
  const direct = changed.filter(({ type }) => type === 'direct');
  return sql`(
    SELECT trader_id, to_timestamp(milliseconds / 1000.0::float8) AS hour, business_line,
      amount AS commission
    FROM unnest(${plainArray(direct.map(({ sourceId }) => sourceId))}::bigint[],
      ${plainArray(direct.map(({ hour }) => hour))}::bigint[],
      ${plainArray(direct.map(({ businessLine }) => businessLine))}::text[],
      ${amountsOf(direct)}::numeric[])
      AS entry (trader_id, milliseconds, business_line, amount))`;
}

function amountsOf(changed: readonly ChangedCommission[]): string {
  return plainArray(changed.map(({ commission }) => formatMicroUsdt(commission)));
}

export function sumOf(changed: readonly ChangedCommission[]): MicroUsdt {
  return changed.reduce((sum, { commission }) => toMicroUsdt(sum + commission), zeroMicroUsdt);
}
