import { type RawBuilder, sql } from 'kysely';

type OrdersTable = 'spot_orders' | 'futures_orders';

/**
 * The lowest number above those of all orders that were created before the time. Numbers increase
 * with time, so a bound in time becomes one in numbers, by which an account's orders are indexed:
 * otherwise all its orders up to that time would be read. Found by halving, since an index of times
 * would have to be maintained for every order.
 */
export function firstOrderFrom(table: OrdersTable, time: number): RawBuilder<unknown> {
  const orders = sql.table(table);
  return sql`(
    WITH RECURSIVE span AS (
      SELECT min(order_number) AS low, max(order_number) + 1 AS high FROM ${orders}
      UNION ALL
      SELECT CASE WHEN probe.is_before THEN probe.order_number + 1 ELSE low END,
        CASE WHEN probe.is_before THEN high ELSE (low + high) / 2 END
      FROM span CROSS JOIN LATERAL (
        SELECT order_number, created_at < ${new Date(time)} AS is_before FROM ${orders}
        WHERE order_number >= (low + high) / 2 ORDER BY order_number LIMIT 1
      ) AS probe
      WHERE low < high
    )
    SELECT low FROM span WHERE low >= high)`;
}
