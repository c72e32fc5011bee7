import { type RawBuilder, sql } from 'kysely';
import type {
  AffiliateRow,
  LineSums,
  Page,
  PageOf,
  TraderFilter,
  TraderRow,
} from '../../application/referral/referral-ports.ts';
import { amountFromDecimal } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { EarningType } from '../../programs/referral/share-fee.ts';
import { decimalOf } from '../column-values.ts';
import type { DatabasePool } from '../database-pool.ts';
import { microUsdtOf } from './decimal-columns.ts';

// Pages of a referrer's traders and affiliates. The accounts of the page are read from the
// bindings, newest first, and sums are read only for those: never the earnings, however many there
// are.

interface SumColumns {
  spot_fee_value: string;
  spot_commission: string;
  futures_fee_value: string;
  futures_commission: string;
}

interface TraderColumns extends SumColumns {
  trader_address: string;
  bound_at: Date;
  last_trade_at: Date | null;
}

interface AffiliateColumns extends SumColumns {
  trader_address: string;
  sub_rate: string;
  direct_traders: string;
}

const feeSums = sql`
  coalesce(sum(fee_value) FILTER (WHERE business_line = 'spot'), 0) AS spot_fee_value,
  coalesce(sum(fee_value) FILTER (WHERE business_line = 'futures'), 0) AS futures_fee_value`;

const commissionSums = sql`
  coalesce(sum(commission) FILTER (WHERE business_line = 'spot'), 0) AS spot_commission,
  coalesce(sum(commission) FILTER (WHERE business_line = 'futures'), 0) AS futures_commission`;

export async function selectTraders(
  pool: DatabasePool,
  referrer: AccountId,
  filter: TraderFilter,
): Promise<PageOf<TraderRow>> {
  const query = tradersQuery(referrer, filter);
  const { rows } = await pool.query((db) => query.execute(db));
  const total = await countBound(pool, referrer, { isAffiliate: false });
  return { total, items: rows.map(traderFromRow) };
}

/** The page in one statement; docs/referral.md shows its query plan. */
export function tradersQuery(
  referrer: AccountId,
  filter: Omit<TraderFilter, 'account'>,
): RawBuilder<TraderColumns> {
  const { since, search } = filter;
  const matches = search === '' ? sql`` : sql`AND trader_address LIKE ${likePattern(search)}`;
  const sums = since === null ? totalSums(referrer, 'direct') : windowSums(referrer, since);
  return sql<TraderColumns>`
    WITH page AS (
      SELECT id, trader_id, trader_address, bound_at FROM referral_bindings
      WHERE referrer_id = ${referrer} AND NOT is_affiliate AND unbound_at IS NULL ${matches}
      ORDER BY bound_at DESC, id DESC ${limitOf(filter)}
    )
    SELECT trader_address, bound_at, fee.*, settled.*,
      (SELECT max(last_trade_at) FROM referral_source_totals AS total
       WHERE total.beneficiary_id = ${referrer} AND total.type = 'direct'
         AND total.source_id = page.trader_id) AS last_trade_at
    FROM page ${sums}
    ORDER BY bound_at DESC, id DESC`;
}

// All time, of one type of earning.
function totalSums(referrer: AccountId, type: EarningType): RawBuilder<unknown> {
  return sql`
    JOIN LATERAL (
      SELECT ${feeSums} FROM referral_source_totals
      WHERE beneficiary_id = ${referrer} AND type = ${type} AND source_id = page.trader_id
    ) AS fee ON true
    JOIN LATERAL (
      SELECT ${commissionSums} FROM referral_source_settled
      WHERE beneficiary_id = ${referrer} AND type = ${type} AND source_id = page.trader_id
    ) AS settled ON true`;
}

// Directly earned since the full hour in which the window starts.
function windowSums(referrer: AccountId, since: Date): RawBuilder<unknown> {
  const first = sql`date_trunc('hour', ${since}::timestamptz, 'UTC')`;
  return sql`
    JOIN LATERAL (
      SELECT ${feeSums} FROM referral_trader_hours
      WHERE beneficiary_id = ${referrer} AND trader_id = page.trader_id AND hour >= ${first}
    ) AS fee ON true
    JOIN LATERAL (
      SELECT ${commissionSums} FROM referral_settled_hours
      WHERE beneficiary_id = ${referrer} AND trader_id = page.trader_id AND hour >= ${first}
    ) AS settled ON true`;
}

export async function selectAffiliates(
  pool: DatabasePool,
  referrer: AccountId,
  page: Page,
): Promise<PageOf<AffiliateRow>> {
  const query = sql<AffiliateColumns>`
    WITH page AS (
      SELECT id, trader_id, trader_address, bound_at, sub_rate FROM referral_bindings
      WHERE referrer_id = ${referrer} AND is_affiliate AND unbound_at IS NULL
      ORDER BY bound_at DESC, id DESC ${limitOf(page)}
    )
    SELECT trader_address, sub_rate, fee.*, settled.*,
      (SELECT count(*) FROM referral_bindings AS own
       WHERE own.referrer_id = page.trader_id AND NOT own.is_affiliate AND own.unbound_at IS NULL)
        AS direct_traders
    FROM page ${totalSums(referrer, 'spread')}
    ORDER BY bound_at DESC, id DESC`;
  const { rows } = await pool.query((db) => query.execute(db));
  const total = await countBound(pool, referrer, { isAffiliate: true });
  return { total, items: rows.map(affiliateFromRow) };
}

/** How many are bound to the referrer now. */
export async function countBound(
  pool: DatabasePool,
  referrer: AccountId,
  { isAffiliate }: { readonly isAffiliate: boolean },
): Promise<number> {
  const { rows } = await pool.query((db) =>
    sql<{ count: string }>`
      SELECT count(*) FROM referral_bindings
      WHERE referrer_id = ${referrer} AND is_affiliate = ${isAffiliate}
        AND unbound_at IS NULL`.execute(db),
  );
  return Number(rows[0]?.count ?? 0);
}

/** LIMIT and OFFSET of a page; the offset of a page far beyond the end is still a whole number. */
export function limitOf({ page, pageSize }: Page): RawBuilder<unknown> {
  const offset = BigInt(page - 1) * BigInt(pageSize);
  return sql`LIMIT ${pageSize} OFFSET ${String(offset)}::bigint`;
}

export function likePattern(search: string): string {
  return `%${search.replace(/[\\%_]/g, '\\$&')}%`;
}

function traderFromRow(row: TraderColumns): TraderRow {
  return {
    address: row.trader_address as Address,
    boundAt: row.bound_at,
    lastTradeAt: row.last_trade_at,
    ...linesOf(row),
  };
}

function affiliateFromRow(row: AffiliateColumns): AffiliateRow {
  return {
    address: row.trader_address as Address,
    subRate: decimalOf(row.sub_rate),
    directTraders: Number(row.direct_traders),
    ...linesOf(row),
  };
}

function linesOf(row: SumColumns): { readonly spot: LineSums; readonly futures: LineSums } {
  return {
    spot: sumsOf(row.spot_fee_value, row.spot_commission),
    futures: sumsOf(row.futures_fee_value, row.futures_commission),
  };
}

function sumsOf(feeValueText: string, commissionText: string): LineSums {
  const feeValue = amountFromDecimal(decimalOf(feeValueText));
  assert(feeValue !== null, 'fee values are whole 10^-8 of USDT');
  return { feeValue, commission: microUsdtOf(commissionText) };
}
