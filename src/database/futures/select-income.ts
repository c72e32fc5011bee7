import { type Kysely, type RawBuilder, sql } from 'kysely';
import type {
  IncomeEntry,
  IncomeFilter,
  IncomeType,
} from '../../application/ports/futures-history.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TimestampMs, TradeId } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import { amountOf } from './futures-market-rows.ts';
import { firstTradeFrom, lastTradeUntil } from './select-futures-trades.ts';

interface IncomeRow {
  readonly id: string;
  readonly type: string;
  readonly market_id: number | null;
  readonly amount: string;
  readonly trade_id: string | null;
  readonly created_at: Date;
}

interface TradeColumns {
  readonly type: IncomeType;
  readonly account: string;
  readonly amount: RawBuilder<unknown>;
}

const tradeColumns: readonly TradeColumns[] = [
  { type: 'COMMISSION', account: 'maker_account_id', amount: sql`- maker_fee` },
  { type: 'COMMISSION', account: 'taker_account_id', amount: sql`- taker_fee` },
  { type: 'REALIZED_PNL', account: 'maker_account_id', amount: sql`maker_profit` },
  { type: 'REALIZED_PNL', account: 'taker_account_id', amount: sql`taker_profit` },
];

/** Fees and realized profit come from the trades, everything else from its own table. */
export async function selectIncome(
  db: Kysely<Tables>,
  filter: IncomeFilter,
): Promise<readonly IncomeEntry[]> {
  const { type, limit, offset } = filter;
  const direction = filter.order === 'newest_first' ? sql.raw('DESC') : sql.raw('ASC');
  const parts = tradeColumns
    .filter((columns) => type === null || columns.type === type)
    .map((columns) => tradeIncome(columns, filter, direction));
  if (type === null || !tradeColumns.some((columns) => columns.type === type)) {
    parts.push(otherIncome(filter, direction));
  }
  const query = sql<IncomeRow>`
    SELECT id, type, market_id, trim_scale(amount) AS amount, trade_id, created_at
    FROM (${sql.join(parts, sql` UNION ALL `)}) AS income
    ORDER BY created_at ${direction}, id ${direction}, type ${direction}
    LIMIT ${limit} OFFSET ${offset}`;
  return (await query.execute(db)).rows.map(entryFromRow);
}

function tradeIncome(
  { type, account, amount }: TradeColumns,
  filter: IncomeFilter,
  direction: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { marketId, startTime, endTime } = filter;
  const conditions = [
    sql`${sql.ref(account)} = ${filter.accountId}`,
    sql`${amount} <> 0`,
    ...(marketId === null ? [] : [sql`market_id = ${marketId}`]),
    ...(startTime === null ? [] : [sql`trade_number >= ${firstTradeFrom(startTime)}`]),
    ...(endTime === null ? [] : [sql`trade_number <= ${lastTradeUntil(endTime)}`]),
  ];
  return sql`(
    SELECT trade_number AS id, ${type}::text AS type, market_id, ${amount} AS amount,
      trade_id, created_at
    FROM futures_trades WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY trade_number ${direction} LIMIT ${filter.limit + filter.offset})`;
}

function otherIncome(filter: IncomeFilter, direction: RawBuilder<unknown>): RawBuilder<unknown> {
  const { type, marketId, startTime, endTime } = filter;
  const conditions = [
    sql`account_id = ${filter.accountId}`,
    ...(type === null ? [] : [sql`type = ${type}`]),
    ...(marketId === null ? [] : [sql`market_id = ${marketId}`]),
    ...(startTime === null ? [] : [sql`created_at >= ${new Date(startTime)}`]),
    ...(endTime === null ? [] : [sql`created_at <= ${new Date(endTime)}`]),
  ];
  return sql`(
    SELECT id, type, market_id, amount, NULL::bigint AS trade_id, created_at
    FROM futures_income WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY created_at ${direction}, id ${direction} LIMIT ${filter.limit + filter.offset})`;
}

function entryFromRow(row: IncomeRow): IncomeEntry {
  return {
    id: Number(row.id),
    type: row.type as IncomeType,
    marketId: row.market_id as FuturesMarketId | null,
    amount: amountOf(row.amount),
    tradeId: row.trade_id === null ? null : (Number(row.trade_id) as TradeId),
    createdAt: row.created_at.getTime() as TimestampMs,
  };
}
