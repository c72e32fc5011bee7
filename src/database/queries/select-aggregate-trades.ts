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

/**
 * Whether the trades that one order has made at one price are added up first. They are adjacent, so
 * that makes no difference to the aggregates. It costs less where an order has many, since a sum
 * takes a fraction of the comparison with the trade before, and more where it has one.
 */
type Merging = 'by_order' | 'by_trade';

/** More trades than this are read only where the orders have many. */
const plainTradesMax = 2_000;

function mergingOf({ tradesMax }: AggregateScan<number>): Merging {
  return tradesMax === null || tradesMax > plainTradesMax ? 'by_order' : 'by_trade';
}

/** The database merges the trades: only aggregates leave it, however many trades each has. */
export async function selectAggregateTrades(
  db: Kysely<Tables>,
  table: TradesTable,
  market: PriceGrid & QuantityGrid,
  scan: AggregateScan<number>,
  merging = mergingOf(scan),
): Promise<ScannedAggregates> {
  const { rows } = await aggregateQuery(table, scan, merging).execute(db);
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
  scan: AggregateScan<number>,
  merging = mergingOf(scan),
): RawBuilder<AggregateRow> {
  const { marketId, since, before, isForward, tradesMax, limit, ...wanted } = scan;
  const direction = isForward ? sql.raw('ASC') : sql.raw('DESC');
  const last = isForward ? sql.raw('max') : sql.raw('min');
  const isOnBook = table === 'spot_trades' ? sql`TRUE` : sql`NOT is_off_book`;
  return sql<AggregateRow>`
    WITH scanned AS MATERIALIZED (
      SELECT trade_id, price, quantity, taker_side, taker_order_number, sequence, created_at,
        ${isOnBook} AS is_on_book
      FROM ${sql.table(table)}
      WHERE market_id = ${marketId} AND ${boundsOf('created_at', since, before, sql.raw('<'))}
      ORDER BY created_at ${direction}, trade_number ${direction} LIMIT ${tradesMax}
    ), scan AS (
      SELECT ${last}(created_at) AS edge, ${windowOf(sql`${last}(created_at)`)} AS edge_window,
        coalesce(count(*) = ${tradesMax}::integer, FALSE) AS is_cut
      FROM scanned
    ), parts AS (
      ${parts[merging]}
    ), timed AS (
      SELECT *, ${windowOf(sql`created_at`)} AS "window" FROM parts
    ), marked AS (
      SELECT *, (lag(price) OVER earlier = price AND lag(taker_side) OVER earlier = taker_side
        AND lag("window") OVER earlier = "window") IS NOT TRUE AS is_first
      FROM timed WINDOW earlier AS (ORDER BY created_at, first_trade_id)
    ), numbered AS (
      SELECT *, count(*) FILTER (WHERE is_first) OVER (
        ORDER BY created_at, first_trade_id ROWS UNBOUNDED PRECEDING) AS run
      FROM marked
    ), aggregates AS (
      SELECT run, min(price) AS price, min(taker_side) AS taker_side, min("window") AS "window",
        sum(quantity) AS quantity, min(first_trade_id) AS first_trade_id,
        max(last_trade_id) AS last_trade_id, min(created_at) AS time,
        ${last}(run) OVER () AS edge_run
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

const parts: Readonly<Record<Merging, RawBuilder<unknown>>> = {
  by_trade: sql`
    SELECT price, quantity, taker_side, created_at, trade_id AS first_trade_id,
      trade_id AS last_trade_id
    FROM scanned WHERE is_on_book`,
  by_order: sql`
    SELECT price, sum(quantity) AS quantity, taker_side, created_at,
      min(trade_id) AS first_trade_id, max(trade_id) AS last_trade_id
    FROM scanned WHERE is_on_book
    GROUP BY created_at, sequence, taker_order_number, taker_side, price`,
};

function windowOf(time: RawBuilder<unknown>): RawBuilder<unknown> {
  const width = sql`${aggregateWindowMs} * interval '1 millisecond'`;
  return sql`date_bin(${width}, ${time}, 'epoch')`;
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
