import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type {
  FuturesTradeFilter,
  MarketTradeFilter,
} from '../../application/ports/futures-history.ts';
import { assert } from '../../domain/assert.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TradeId } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import type { FuturesTradesTable } from './futures-tables.ts';

export interface TradePage {
  readonly limit: number;
  readonly offset: number;
  /** The trade number after which the page starts. */
  readonly after: number | null;
}

/** Each side by its own index; self-trades do not exist, so no trade is returned twice. */
export async function selectOwnTrades(
  db: Kysely<Tables>,
  filter: FuturesTradeFilter,
  { limit, offset, after }: TradePage,
): Promise<readonly Selectable<FuturesTradesTable>[]> {
  const direction = filter.order === 'newest_first' ? sql.raw('DESC') : sql.raw('ASC');
  const beyond = filter.order === 'newest_first' ? sql.raw('<') : sql.raw('>');
  const place = after === null ? sql`TRUE` : sql`trade_number ${beyond} ${after}`;
  const side = (column: string) => sql`
    (SELECT * FROM futures_trades
     WHERE ${sql.ref(column)} = ${filter.accountId} AND ${conditionsOf(filter)} AND ${place}
     ORDER BY trade_number ${direction} LIMIT ${limit + offset})`;
  const query = sql<Selectable<FuturesTradesTable>>`
    SELECT * FROM (${side('taker_account_id')} UNION ALL ${side('maker_account_id')}) AS trade
    ORDER BY trade_number ${direction} LIMIT ${limit} OFFSET ${offset}`;
  return (await query.execute(db)).rows;
}

export async function countOwnTrades(
  db: Kysely<Tables>,
  filter: FuturesTradeFilter,
): Promise<number> {
  const side = (column: string) => sql`
    (SELECT count(*) FROM futures_trades
     WHERE ${sql.ref(column)} = ${filter.accountId} AND ${conditionsOf(filter)})`;
  const query = sql<{ total: string }>`
    SELECT ${side('taker_account_id')} + ${side('maker_account_id')} AS total`;
  return Number((await query.execute(db)).rows[0]?.total ?? 0);
}

/** A market's trades on its book, by the index of times or of ids, which increase together. */
export async function selectMarketTrades(
  db: Kysely<Tables>,
  filter: MarketTradeFilter,
): Promise<readonly Selectable<FuturesTradesTable>[]> {
  return marketTradesQuery(db, filter).execute();
}

/** With an id, times become ids: otherwise all trades between the two would be read and passed. */
export function marketTradesQuery(
  db: Kysely<Tables>,
  { marketId, from, startTime, endTime, order, limit }: MarketTradeFilter,
) {
  const direction = order === 'newest_first' ? 'desc' : 'asc';
  const query = db
    .selectFrom('futures_trades')
    .selectAll()
    .where('market_id', '=', marketId)
    .where('is_off_book', '=', false)
    .limit(limit);
  if (from === null) {
    return query
      .$if(startTime !== null, (some) => some.where('created_at', '>=', new Date(startTime ?? 0)))
      .$if(endTime !== null, (some) => some.where('created_at', '<=', new Date(endTime ?? 0)))
      .orderBy('created_at', direction)
      .orderBy('trade_number', direction);
  }
  const idAt = (beyond: '>=' | '<=', time: number | null, ends: 'asc' | 'desc') =>
    db
      .selectFrom('futures_trades')
      .select('trade_id')
      .where('market_id', '=', marketId)
      .where('created_at', beyond, new Date(time ?? 0))
      .orderBy('created_at', ends)
      .orderBy('trade_number', ends)
      .limit(1);
  return query
    .where('trade_id', '>=', String(from))
    .$if(startTime !== null, (some) => some.where('trade_id', '>=', idAt('>=', startTime, 'asc')))
    .$if(endTime !== null, (some) => some.where('trade_id', '<=', idAt('<=', endTime, 'desc')))
    .orderBy('trade_id', direction);
}

function conditionsOf(filter: FuturesTradeFilter): RawBuilder<unknown> {
  const { marketId, orderNumber, from, startTime, endTime } = filter;
  const conditions = [sql`TRUE`];
  if (marketId !== null) conditions.push(sql`market_id = ${marketId}`);
  if (orderNumber !== null) {
    conditions.push(
      sql`(maker_order_number = ${orderNumber} OR taker_order_number = ${orderNumber})`,
    );
  }
  if (from !== null) conditions.push(sql`trade_number >= ${numberOfTrade(marketId, from)}`);
  if (startTime !== null) conditions.push(sql`trade_number >= ${firstTradeFrom(startTime)}`);
  if (endTime !== null) conditions.push(sql`trade_number <= ${lastTradeUntil(endTime)}`);
  return sql.join(conditions, sql` AND `);
}

// An account's trades are indexed by number, and a market's numbers increase with its ids.
function numberOfTrade(marketId: FuturesMarketId | null, id: TradeId): RawBuilder<unknown> {
  assert(marketId !== null, 'an id is one of a market');
  return sql`(
    SELECT trade_number FROM futures_trades
    WHERE market_id = ${marketId} AND trade_id >= ${id} ORDER BY trade_id LIMIT 1)`;
}

/**
 * The number of the first trade of any market at the time or later. An account's trades are indexed
 * by number; numbers increase with time, so a bound in time becomes one in numbers.
 */
export function firstTradeFrom(time: number): RawBuilder<unknown> {
  return sql`(
    SELECT min(first.trade_number) FROM futures_markets AS market CROSS JOIN LATERAL (
      SELECT trade_number FROM futures_trades
      WHERE market_id = market.market_id AND created_at >= ${new Date(time)}
      ORDER BY created_at, trade_number LIMIT 1
    ) AS first)`;
}

/** The number of the last trade of any market at the time or earlier. */
export function lastTradeUntil(time: number): RawBuilder<unknown> {
  return sql`(
    SELECT max(last.trade_number) FROM futures_markets AS market CROSS JOIN LATERAL (
      SELECT trade_number FROM futures_trades
      WHERE market_id = market.market_id AND created_at <= ${new Date(time)}
      ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ) AS last)`;
}
