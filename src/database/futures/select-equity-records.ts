import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { EquityRecords } from '../../application/futures/account-equity.ts';
import type { EquityFilter } from '../../application/ports/futures-history.ts';
import { assert } from '../../domain/assert.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { Tables } from '../tables.ts';
import { amountOf } from './futures-market-rows.ts';
import { firstTradeFrom } from './select-futures-trades.ts';

interface RecordRow {
  readonly kind: 'wallet' | 'position' | 'trade' | 'income' | 'mark';
  readonly period: string | null;
  readonly market_id: number | null;
  readonly quantity: string | null;
  /** Cost, quote, funding or price. */
  readonly amount: string | null;
  /** Realized profit or transfers. */
  readonly second_amount: string | null;
  readonly fees: string | null;
}

const lengthsMs = { '1h': 3_600_000, '1d': 86_400_000 } as const;

/** All records by one statement, so that they are of one moment. */
export async function selectEquityRecords(
  db: Kysely<Tables>,
  filter: EquityFilter,
): Promise<EquityRecords> {
  const lengthMs = lengthsMs[filter.interval];
  const periodOf = (column: string): RawBuilder<unknown> =>
    sql`floor(extract(epoch FROM ${sql.ref(column)}) * 1000 / ${lengthMs})::bigint`;
  const query = sql<RecordRow>`
    WITH ${sourcesOf(filter, filter.firstPeriod * lengthMs)}
    SELECT 'wallet' AS kind, NULL::bigint AS period, NULL::integer AS market_id,
      NULL::text AS quantity, trim_scale(wallet_balance)::text AS amount,
      NULL::text AS second_amount, NULL::text AS fees
    FROM perp_balances WHERE user_address = ${filter.address}
    UNION ALL
    SELECT 'position', NULL, market_id, trim_scale(quantity)::text,
      trim_scale(sign(quantity) * entry_notional)::text, NULL, NULL FROM held
    UNION ALL
    SELECT 'trade', ${periodOf('created_at')}, market_id, trim_scale(sum(sign * quantity))::text,
      trim_scale(sum(sign * quote_quantity))::text, trim_scale(sum(profit))::text,
      trim_scale(sum(fee))::text
    FROM own_trades GROUP BY 2, 3
    UNION ALL
    SELECT 'income', ${periodOf('created_at')}, NULL, NULL,
      trim_scale(coalesce(sum(amount) FILTER (WHERE is_funding), 0))::text,
      trim_scale(coalesce(sum(amount) FILTER (WHERE NOT is_funding), 0))::text, NULL
    FROM moved GROUP BY 2
    UNION ALL
    SELECT 'mark', ${periodOf('open_time')}, market_id, NULL,
      trim_scale(mark_close)::text, NULL, NULL FROM marks
    ORDER BY 1, 2, 3`;
  return recordsFrom((await query.execute(db)).rows);
}

/** The account's positions, and its trades, other movements and mark prices since the start. */
function sourcesOf(
  { accountId, address, interval }: EquityFilter,
  start: number,
): RawBuilder<unknown> {
  const startDate = new Date(start);
  const side = (name: 'maker' | 'taker', takerSideOfBuys: 'buy' | 'sell') => sql`
    SELECT created_at, market_id, quantity, quote_quantity,
      CASE WHEN taker_side = ${takerSideOfBuys} THEN 1 ELSE -1 END AS sign,
      ${sql.ref(`${name}_profit`)} AS profit, ${sql.ref(`${name}_fee`)} AS fee
    FROM futures_trades
    WHERE ${sql.ref(`${name}_account_id`)} = ${accountId}
      AND trade_number >= ${firstTradeFrom(start)}`;
  // A withdrawal leaves the wallet when it is requested; one that is released comes back.
  return sql`
    held AS (
      SELECT market_id, quantity, entry_notional FROM futures_positions
      WHERE account_id = ${accountId}
    ), own_trades AS (
      ${side('maker', 'sell')} UNION ALL ${side('taker', 'buy')}
    ), withdrawn AS (
      SELECT created_at, funds.amount, funds.state, funds.updated_at
      FROM withdrawals JOIN withdrawal_funds AS funds ON withdrawal_id = withdrawals.id::text
      WHERE account = ${address} AND wallet = 'perp'
    ), moved AS (
      SELECT created_at, type = 'FUNDING_FEE' AS is_funding, amount FROM futures_income
      WHERE account_id = ${accountId} AND created_at >= ${startDate}
      UNION ALL
      SELECT created_at, FALSE, - amount FROM withdrawn WHERE created_at >= ${startDate}
      UNION ALL
      SELECT updated_at, FALSE, amount FROM withdrawn
      WHERE state = 'released' AND updated_at >= ${startDate}
    ), marks AS (
      SELECT open_time, market_id, mark_close FROM futures_price_candles
      WHERE length = ${interval} AND open_time >= ${startDate}
        AND market_id IN (SELECT market_id FROM held)
      UNION ALL
      SELECT last.open_time, held.market_id, last.mark_close FROM held CROSS JOIN LATERAL (
        SELECT open_time, mark_close FROM futures_price_candles
        WHERE market_id = held.market_id AND length = ${interval} AND open_time < ${startDate}
        ORDER BY open_time DESC LIMIT 1
      ) AS last
    )`;
}

function recordsFrom(rows: readonly RecordRow[]): EquityRecords {
  const of = (kind: RecordRow['kind']): readonly RecordRow[] =>
    rows.filter((row) => row.kind === kind);
  return {
    walletBalance: money(of('wallet')[0]?.amount ?? '0'),
    positions: of('position').map((row) => ({
      marketId: marketOf(row),
      quantity: quantityOf(row),
      cost: money(row.amount),
    })),
    trades: of('trade').map((row) => ({
      period: Number(row.period),
      marketId: marketOf(row),
      quantity: quantityOf(row),
      quote: money(row.amount),
      profit: money(row.second_amount),
      fees: money(row.fees),
    })),
    income: of('income').map((row) => ({
      period: Number(row.period),
      funding: money(row.amount),
      transfers: money(row.second_amount),
    })),
    marks: of('mark').map((row) => ({
      period: Number(row.period),
      marketId: marketOf(row),
      price: money(row.amount),
    })),
  };
}

function money(text: string | null): bigint {
  assert(text !== null, 'the row has this amount');
  return amountOf(text);
}

function marketOf({ market_id: marketId }: RecordRow): FuturesMarketId {
  return marketId as FuturesMarketId;
}

function quantityOf({ quantity }: RecordRow): bigint {
  const value = parseDecimal(quantity ?? '');
  assert(value !== null, 'a stored quantity is a decimal');
  return value;
}
