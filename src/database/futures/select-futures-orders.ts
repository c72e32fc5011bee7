import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { FuturesOrderFilter } from '../../application/ports/futures-history.ts';
import { firstOrderFrom } from '../queries/order-bounds.ts';
import type { Tables } from '../tables.ts';
import type { FuturesOrdersTable } from './futures-tables.ts';

export interface OrderPage {
  readonly limit: number;
  readonly offset: number;
  /** The order number after which the page starts. */
  readonly after: number | null;
}

/**
 * An account's orders by number. The first orders of each market are read by one index, and the
 * first of these are taken: a second index for orders of all markets would have to be maintained
 * for every order.
 */
export async function selectFuturesOrders(
  db: Kysely<Tables>,
  filter: FuturesOrderFilter,
  { limit, offset, after }: OrderPage,
): Promise<readonly Selectable<FuturesOrdersTable>[]> {
  const direction = filter.order === 'newest_first' ? sql.raw('DESC') : sql.raw('ASC');
  const conditions = [...conditionsOf(filter)];
  if (after !== null) {
    const beyond = filter.order === 'newest_first' ? sql.raw('<') : sql.raw('>');
    conditions.push(sql`order_number ${beyond} ${after}`);
  }
  const query = sql<Selectable<FuturesOrdersTable>>`
    SELECT own.* FROM (${marketsOf(filter)}) AS market
    CROSS JOIN LATERAL (
      SELECT * FROM futures_orders
      WHERE market_id = market.market_id AND ${sql.join(conditions, sql` AND `)}
      ORDER BY order_number ${direction} LIMIT ${limit + offset}
    ) AS own
    ORDER BY own.order_number ${direction} LIMIT ${limit} OFFSET ${offset}`;
  return (await query.execute(db)).rows;
}

export async function countFuturesOrders(
  db: Kysely<Tables>,
  filter: FuturesOrderFilter,
): Promise<number> {
  const conditions = sql.join(conditionsOf(filter), sql` AND `);
  const query = sql<{ total: string }>`
    SELECT count(*) AS total FROM (${marketsOf(filter)}) AS market
    JOIN futures_orders AS own USING (market_id) WHERE ${conditions}`;
  return Number((await query.execute(db)).rows[0]?.total ?? 0);
}

function marketsOf({ marketId }: FuturesOrderFilter): RawBuilder<unknown> {
  if (marketId === null) return sql`SELECT market_id FROM futures_markets`;
  return sql`SELECT ${marketId}::integer AS market_id`;
}

function conditionsOf(filter: FuturesOrderFilter): readonly RawBuilder<unknown>[] {
  const { statuses, isTrigger, forcedBy, from, startTime, endTime } = filter;
  const conditions = [sql`account_id = ${filter.accountId}`];
  if (statuses !== null) conditions.push(sql`status = ANY (${statuses}::text[])`);
  // As the index of trigger orders states it.
  if (isTrigger === true) conditions.push(sql`type NOT IN ('limit', 'market')`);
  if (isTrigger === false) conditions.push(sql`type IN ('limit', 'market')`);
  // Also stated with a single reason, because the index of forced orders requires it.
  if (forcedBy !== null) conditions.push(sql`origin <> 'user'`);
  if (forcedBy !== null && forcedBy !== 'any') conditions.push(sql`origin = ${forcedBy}`);
  if (from !== null) conditions.push(sql`order_number >= ${from}`);
  const numberFrom = (time: number) => firstOrderFrom('futures_orders', time);
  if (startTime !== null) conditions.push(sql`order_number >= ${numberFrom(startTime)}`);
  if (endTime !== null) conditions.push(sql`order_number < ${numberFrom(endTime + 1)}`);
  return conditions;
}
