import { type RawBuilder, sql } from 'kysely';
import type { SpotTickerStatistics } from '../../application/market-data/market-views.ts';
import type { FuturesTicker } from '../../application/ports/futures-history.ts';
import type { TimestampMs, TradeId } from '../../domain/identifiers.ts';
import { klineOpenTime } from '../../domain/kline-interval.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Prices and quantities as decimal texts, the change also in percent. */
export interface TickerDayRow
  extends Omit<SpotTickerStatistics, 'trade_count' | 'open_time' | 'close_time'> {
  readonly trade_count: string;
}

/** The same with the first and last trades; ids are null if no trade was made in the span. */
export interface TradedDayRow extends TickerDayRow {
  readonly last_quantity: string;
  readonly weighted: string;
  readonly first_id: string | null;
  readonly last_id: string;
}

interface TickerDayFilter {
  readonly trades: 'spot_trades' | 'futures_trades';
  readonly klines: 'spot_klines' | 'futures_klines';
  readonly marketId: RawBuilder<unknown>;
  /** In milliseconds. */
  readonly openTime: number;
  /** Which trades count. */
  readonly condition: RawBuilder<unknown>;
}

/**
 * The common table expressions `parts` and `day`, the sums of a market's trades from `openTime` on:
 * whole hours and, before the first of them, whole minutes from the candles, the first, partial
 * minute from its trades. A day of minutes alone would be 17 times as many rows.
 */
export function sumTickerDay(filter: TickerDayFilter): RawBuilder<unknown> {
  const { trades, klines, marketId, openTime, condition } = filter;
  const start = new Date(openTime);
  const wholeMinutes = new Date(klineOpenTime('1m', openTime + minuteMs - 1));
  const wholeHours = new Date(klineOpenTime('1h', openTime + hourMs - 1));
  return sql`
    parts AS (
      SELECT created_at AS moment, trade_number, price AS open, price AS high, price AS low,
        quantity AS volume, quote_quantity AS quote_volume, 1::bigint AS trade_count
      FROM ${sql.table(trades)}
      WHERE market_id = ${marketId} AND created_at >= ${start} AND created_at < ${wholeMinutes}
        AND ${condition}
      UNION ALL
      SELECT open_time, 0, open, high, low, volume, quote_volume, trade_count
      FROM ${sql.table(klines)}
      WHERE market_id = ${marketId} AND kline_interval = '1m'
        AND open_time >= ${wholeMinutes} AND open_time < ${wholeHours}
      UNION ALL
      SELECT open_time, 0, open, high, low, volume, quote_volume, trade_count
      FROM ${sql.table(klines)}
      WHERE market_id = ${marketId} AND kline_interval = '1h' AND open_time >= ${wholeHours}
    ), day AS (
      SELECT (array_agg(open ORDER BY moment, trade_number))[1] AS open, max(high) AS high,
        min(low) AS low, coalesce(sum(volume), 0) AS volume,
        coalesce(sum(quote_volume), 0) AS quote_volume, coalesce(sum(trade_count), 0) AS trade_count
      FROM parts
    )`;
}

/** The rows of a query for each of the markets, whose id it calls `market.id`. */
export function forEachMarket<Row>(marketIds: readonly number[], query: RawBuilder<unknown>) {
  return sql<Row & { readonly market_id: number }>`
    SELECT market.id AS market_id, found.* FROM unnest(${marketIds}::int[]) AS market (id)
    CROSS JOIN LATERAL (${query}) AS found`;
}

/** The market of a query inside `forEachMarket`. */
export const eachMarket = sql.ref('market.id');

/**
 * The columns of a TickerDayRow, of a day beside its last trade. Decision 0005: a span without a
 * trade is flat at the last price; the percentage has three decimals, rounded half away from zero.
 */
export const tickerDayColumns = sql`
  trim_scale(last) AS last_price, trim_scale(open) AS open_price,
  trim_scale(high) AS high_price, trim_scale(low) AS low_price,
  trim_scale(last - open) AS price_change,
  trim_scale(sign(last - open) * div(abs(last - open) * 200000 + open, 2 * open) / 1000)
    AS price_change_percent,
  trim_scale(volume) AS volume, trim_scale(quote_volume) AS quote_volume, trade_count`;

/** The statistics of the row, of the span from one moment to the other. */
export function tickerFromRow(
  row: TradedDayRow,
  openTime: TimestampMs,
  closeTime: TimestampMs,
): FuturesTicker {
  const first = row.first_id;
  return {
    lastPrice: row.last_price,
    lastQuantity: row.last_quantity,
    openPrice: row.open_price,
    highPrice: row.high_price,
    lowPrice: row.low_price,
    priceChange: row.price_change,
    priceChangePercent: row.price_change_percent,
    weightedAveragePrice: row.weighted,
    volume: row.volume,
    quoteVolume: row.quote_volume,
    tradeCount: Number(row.trade_count),
    firstTradeId: first === null ? null : (Number(first) as TradeId),
    lastTradeId: first === null ? null : (Number(row.last_id) as TradeId),
    openTime,
    closeTime,
  };
}
