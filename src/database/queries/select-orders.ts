import { type Kysely, type Selectable, sql } from 'kysely';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { SpotOrdersTable, Tables } from '../tables.ts';

export interface OrderSelection {
  readonly accountId: string;
  /** Null: all markets. */
  readonly market: SpotMarket | null;
  readonly status: string | null;
  readonly clientOrderId: string | null;
  /** Only orders with a lower number. */
  readonly below: number | null;
  readonly limit: number;
}

/**
 * An account's orders, newest first. The newest orders of each market are read by one index, and
 * the newest of these are taken: a second index for orders of all markets would have to be
 * maintained for every order.
 */
export async function selectOrders(
  db: Kysely<Tables>,
  { accountId, market, status, clientOrderId, below, limit }: OrderSelection,
): Promise<readonly Selectable<SpotOrdersTable>[]> {
  const conditions = sql.join(
    [
      sql`account_id = ${accountId} AND market_id = market.market_id`,
      ...(status === null ? [] : [sql`status = ${status}`]),
      ...(clientOrderId === null ? [] : [sql`client_order_id = ${clientOrderId}`]),
      ...(below === null ? [] : [sql`order_number < ${below}`]),
    ],
    sql` AND `,
  );
  const markets = market === null ? sql`TRUE` : sql`market_id = ${market.marketId}`;
  const query = sql<Selectable<SpotOrdersTable>>`
    SELECT own.* FROM (SELECT market_id FROM spot_markets WHERE ${markets}) AS market
    CROSS JOIN LATERAL (
      SELECT * FROM spot_orders WHERE ${conditions} ORDER BY order_number DESC LIMIT ${limit}
    ) AS own
    ORDER BY own.order_number DESC LIMIT ${limit}`;
  return (await query.execute(db)).rows;
}
