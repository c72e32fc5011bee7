import { type Kysely, sql } from 'kysely';
import type { SpotTickerStatistics } from '../../application/market-data/market-views.ts';
import type { MarketId, TimestampMs } from '../../domain/identifiers.ts';
import { klineOpenTime } from '../../domain/kline-interval.ts';
import type { Tables } from '../tables.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

interface TickerRow {
  readonly last_price: string;
  readonly open_price: string;
  readonly high_price: string;
  readonly low_price: string;
  readonly price_change: string;
  readonly price_change_percent: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trade_count: string;
}

/**
 * The trades from `openTime`, by default 24 hours ago, up to and including `now`: whole minutes
 * from the candles, the first, partial one from its trades. Decision 0005: a span without a trade
 * is flat at the last price; the percentage is rounded to three decimals, half away from zero.
 */
export async function selectTicker(
  db: Kysely<Tables>,
  marketId: MarketId,
  now: TimestampMs,
  openTime: number = now - dayMs,
): Promise<SpotTickerStatistics | null> {
  const firstWholeMinute = klineOpenTime('1m', openTime + minuteMs - 1);
  const start = new Date(openTime);
  const wholeMinutes = new Date(firstWholeMinute);
  const query = sql<TickerRow>`
    WITH parts AS (
      SELECT created_at AS moment, trade_number, price AS open, price AS high, price AS low,
        quantity AS volume, quote_quantity AS quote_volume, 1::bigint AS trade_count
      FROM spot_trades
      WHERE market_id = ${marketId} AND created_at >= ${start} AND created_at < ${wholeMinutes}
      UNION ALL
      SELECT open_time, 0, open, high, low, volume, quote_volume, trade_count
      FROM spot_klines
      WHERE market_id = ${marketId} AND kline_interval = '1m' AND open_time >= ${wholeMinutes}
    ), last_trade AS (
      SELECT price FROM spot_trades
      WHERE market_id = ${marketId} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), day AS (
      SELECT (array_agg(open ORDER BY moment, trade_number))[1] AS open, max(high) AS high,
        min(low) AS low, coalesce(sum(volume), 0) AS volume,
        coalesce(sum(quote_volume), 0) AS quote_volume, coalesce(sum(trade_count), 0) AS trade_count
      FROM parts
    ), flat AS (
      SELECT price AS last, coalesce(open, price) AS open, coalesce(high, price) AS high,
        coalesce(low, price) AS low, volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT trim_scale(last) AS last_price, trim_scale(open) AS open_price,
      trim_scale(high) AS high_price, trim_scale(low) AS low_price,
      trim_scale(last - open) AS price_change,
      trim_scale(sign(last - open) * div(abs(last - open) * 200000 + open, 2 * open) / 1000)
        AS price_change_percent,
      trim_scale(volume) AS volume, trim_scale(quote_volume) AS quote_volume, trade_count
    FROM flat`;
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) return null;
  return {
    ...row,
    trade_count: Number(row.trade_count),
    open_time: new Date(openTime).toISOString(),
    close_time: new Date(now).toISOString(),
  };
}
