import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type AggregateScan,
  type AggregateTrade,
  aggregateWindowMs,
  type ScannedAggregates,
} from '../../application/market-data/aggregate-trades.ts';
import { assert } from '../../domain/assert.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { type PriceGrid, type QuantityGrid, type Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { Tables } from '../tables.ts';

/** One aggregate; all but the edge is null if the scan found none. */
interface AggregateRow {
  readonly edge: Date | null;
  readonly is_cut: boolean;
  readonly price: string;
  readonly taker_side: string;
  readonly quantity: string;
  readonly first_trade_id: string | null;
  readonly last_trade_id: string;
  readonly time: Date;
}

type TradesTable = 'spot_trades' | 'futures_trades';

/** The database merges the trades: only aggregates leave it, however many trades each has. */
export async function selectAggregateTrades(
  db: Kysely<Tables>,
  table: TradesTable,
  market: PriceGrid & QuantityGrid,
  scan: AggregateScan<number>,
): Promise<ScannedAggregates> {
  const { rows } = await aggregateQuery(table, scan).execute(db);
  const aggregates = rows.flatMap((row): readonly AggregateTrade[] =>
    row.first_trade_id === null
      ? []
      : [
          {
            price: Number(decimalOf(row.price) / market.tickSize) as Ticks,
            takerSide: row.taker_side as Side,
            quantity: Number(decimalOf(row.quantity) / market.lotSize),
            firstTradeId: Number(row.first_trade_id),
            lastTradeId: Number(row.last_trade_id),
            time: row.time.getTime(),
          },
        ],
  );
  if (!scan.isForward) aggregates.reverse();
  const [row] = rows;
  const edge = row?.is_cut === true ? row.edge : null;
  return { aggregates, cutAt: edge?.getTime() ?? null };
}

/**
 * A run of trades is one aggregate. The run at the edge of what was read may continue beyond it,
 * so it is left out, unless its window was read whole.
 */
export function aggregateQuery(
  table: TradesTable,
  { marketId, since, before, isForward, tradesMax, limit, ...wanted }: AggregateScan<number>,
): RawBuilder<AggregateRow> {
  const direction = isForward ? sql.raw('ASC') : sql.raw('DESC');
  const last = isForward ? sql.raw('max') : sql.raw('min');
  const isOnBook = table === 'spot_trades' ? sql`TRUE` : sql`NOT is_off_book`;
  const width = sql`${aggregateWindowMs} * interval '1 millisecond'`;
  const window = sql`date_bin(${width}, created_at, 'epoch')`;
  return sql<AggregateRow>`
    WITH scanned AS MATERIALIZED (
      SELECT trade_number, trade_id, price, quantity, taker_side, created_at,
        ${isOnBook} AS is_on_book, ${window} AS "window"
      FROM ${sql.table(table)}
      WHERE market_id = ${marketId} AND ${boundsOf('created_at', since, before, sql.raw('<'))}
      ORDER BY created_at ${direction}, trade_number ${direction} LIMIT ${tradesMax}
    ), scan AS (
      SELECT ${last}(created_at) AS edge, ${last}("window") AS edge_window,
        coalesce(count(*) = ${tradesMax}::integer, FALSE) AS is_cut
      FROM scanned
    ), marked AS (
      SELECT *, (lag(price) OVER earlier = price AND lag(taker_side) OVER earlier = taker_side
        AND lag("window") OVER earlier = "window") IS NOT TRUE AS is_first
      FROM scanned WHERE is_on_book WINDOW earlier AS (ORDER BY created_at, trade_number)
    ), numbered AS (
      SELECT *, count(*) FILTER (WHERE is_first) OVER (
        ORDER BY created_at, trade_number ROWS UNBOUNDED PRECEDING) AS run
      FROM marked
    ), aggregates AS (
      SELECT run, min(price) AS price, min(taker_side) AS taker_side, min("window") AS "window",
        sum(quantity) AS quantity, min(trade_id) AS first_trade_id,
        max(trade_id) AS last_trade_id, min(created_at) AS time, ${last}(run) OVER () AS edge_run
      FROM numbered GROUP BY run
    )
    SELECT scan.edge, scan.is_cut, found.* FROM scan LEFT JOIN LATERAL (
      SELECT * FROM aggregates
      WHERE NOT (scan.is_cut AND run = edge_run AND "window" = scan.edge_window)
        AND first_trade_id >= ${wanted.from ?? 0}
        AND ${boundsOf('time', wanted.startTime, wanted.endTime, sql.raw('<='))}
      ORDER BY run ${direction} LIMIT ${limit}
    ) AS found ON TRUE
    ORDER BY found.run ${direction}`;
}

function boundsOf(
  column: string,
  from: number | null,
  to: number | null,
  below: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [sql`TRUE`];
  if (from !== null) conditions.push(sql`${sql.ref(column)} >= ${new Date(from)}`);
  if (to !== null) conditions.push(sql`${sql.ref(column)} ${below} ${new Date(to)}`);
  return sql.join(conditions, sql` AND `);
}

function decimalOf(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `${text} in the database is a decimal`);
  return value;
}
