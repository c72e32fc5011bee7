import { type Kysely, sql } from 'kysely';
import type { AveragePrice, SpotDay } from '../../application/ports/spot-records.ts';
import type { MarketId, TimestampMs } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import {
  eachMarket,
  forEachMarket,
  sumTickerDay,
  type TradedDayRow,
  tickerDayColumns,
  tickerFromRow,
} from './ticker-day.ts';

interface SpotDayRow extends TradedDayRow {
  readonly previous_close: string;
}

/**
 * The time from `since` to `now` as the exchange's own ticker counts it, with the data of its first
 * and last trades, of each of the markets that has ever traded.
 */
export async function selectSpotDays(
  db: Kysely<Tables>,
  marketIds: readonly MarketId[],
  now: TimestampMs,
  since: number,
): Promise<ReadonlyMap<MarketId, SpotDay>> {
  const start = new Date(since);
  const day = sumTickerDay({
    trades: 'spot_trades',
    klines: 'spot_klines',
    marketId: eachMarket,
    openTime: since,
    condition: sql`true`,
  });
  const days = sql`
    WITH ${day}, last_trade AS (
      SELECT price, quantity, trade_id FROM spot_trades
      WHERE market_id = ${eachMarket} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), first_trade AS (
      SELECT trade_id FROM spot_trades
      WHERE market_id = ${eachMarket} AND created_at >= ${start}
      ORDER BY created_at, trade_number LIMIT 1
    ), before AS (
      SELECT price FROM spot_trades WHERE market_id = ${eachMarket} AND created_at < ${start}
      ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), flat AS (
      SELECT price AS last, quantity AS last_quantity, last_trade.trade_id AS last_id,
        coalesce(open, price) AS open, coalesce(high, price) AS high, coalesce(low, price) AS low,
        volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT ${tickerDayColumns}, trim_scale(last_quantity) AS last_quantity,
      trim_scale(CASE WHEN volume = 0 THEN last
        ELSE div(quote_volume * 100000000, volume) / 100000000 END) AS weighted,
      trim_scale(coalesce((SELECT price FROM before), open)) AS previous_close,
      (SELECT trade_id FROM first_trade) AS first_id, last_id
    FROM flat`;
  const { rows } = await forEachMarket<SpotDayRow>(marketIds, days).execute(db);
  return new Map(rows.map((row) => [row.market_id as MarketId, dayFromRow(row, since, now)]));
}

function dayFromRow(row: SpotDayRow, since: number, now: TimestampMs): SpotDay {
  const ticker = tickerFromRow(row, since as TimestampMs, now);
  return { ...ticker, previousClose: row.previous_close };
}

/** The price of each market's last trade. */
export async function selectLastPrices(
  db: Kysely<Tables>,
  marketIds: readonly MarketId[],
): Promise<ReadonlyMap<MarketId, string>> {
  const last = sql`
    SELECT trim_scale(price) AS price FROM spot_trades
    WHERE market_id = ${eachMarket} ORDER BY created_at DESC, trade_number DESC LIMIT 1`;
  const { rows } = await forEachMarket<{ readonly price: string }>(marketIds, last).execute(db);
  return new Map(rows.map(({ market_id, price }) => [market_id as MarketId, price]));
}

export async function selectAveragePrice(
  db: Kysely<Tables>,
  marketId: MarketId,
  since: number,
): Promise<AveragePrice | null> {
  const query = sql<{ readonly price: string; readonly created_at: Date }>`
    WITH recent AS (
      SELECT sum(quote_quantity) AS quote, sum(quantity) AS base FROM spot_trades
      WHERE market_id = ${marketId} AND created_at >= ${new Date(since)}
    ), last_trade AS (
      SELECT price, created_at FROM spot_trades
      WHERE market_id = ${marketId} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    )
    SELECT created_at,
      trim_scale(coalesce(div(quote * 100000000, base) / 100000000, price)) AS price
    FROM last_trade CROSS JOIN recent`;
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) return null;
  return { price: row.price, closeTime: row.created_at.getTime() as TimestampMs };
}
