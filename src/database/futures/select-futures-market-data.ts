import { type Kysely, sql } from 'kysely';
import type {
  FundingRateEntry,
  FundingRateFilter,
  FuturesTicker,
} from '../../application/ports-futures.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TimestampMs, TradeId } from '../../domain/identifiers.ts';
import { klineOpenTime } from '../../domain/kline-interval.ts';
import type { Tables } from '../tables.ts';
import { amountOf, rateOf } from './futures-market-rows.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

interface TickerRow {
  readonly last_price: string;
  readonly last_quantity: string;
  readonly open_price: string;
  readonly high_price: string;
  readonly low_price: string;
  readonly price_change: string;
  readonly price_change_percent: string;
  readonly weighted: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trade_count: string;
  readonly first_id: string | null;
  readonly last_id: string;
}

/** The 24 hours up to and including `now`, counted as for the spot ticker. */
export async function selectFuturesTicker(
  db: Kysely<Tables>,
  marketId: FuturesMarketId,
  now: TimestampMs,
): Promise<FuturesTicker | null> {
  const openTime = (now - dayMs) as TimestampMs;
  const firstWholeMinute = klineOpenTime('1m', openTime + minuteMs - 1);
  const start = new Date(openTime);
  const wholeMinutes = new Date(firstWholeMinute);
  const query = sql<TickerRow>`
    WITH parts AS (
      SELECT created_at AS moment, trade_number, price AS open, price AS high, price AS low,
        quantity AS volume, quote_quantity AS quote_volume, 1::bigint AS trade_count
      FROM futures_trades
      WHERE market_id = ${marketId} AND created_at >= ${start} AND created_at < ${wholeMinutes}
        AND NOT is_off_book
      UNION ALL
      SELECT open_time, 0, open, high, low, volume, quote_volume, trade_count
      FROM futures_klines
      WHERE market_id = ${marketId} AND kline_interval = '1m' AND open_time >= ${wholeMinutes}
    ), last_trade AS (
      SELECT price, quantity, trade_id FROM futures_trades
      WHERE market_id = ${marketId} AND NOT is_off_book
      ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), first_trade AS (
      SELECT trade_id FROM futures_trades
      WHERE market_id = ${marketId} AND created_at >= ${start} AND NOT is_off_book
      ORDER BY created_at, trade_number LIMIT 1
    ), day AS (
      SELECT (array_agg(open ORDER BY moment, trade_number))[1] AS open, max(high) AS high,
        min(low) AS low, coalesce(sum(volume), 0) AS volume,
        coalesce(sum(quote_volume), 0) AS quote_volume, coalesce(sum(trade_count), 0) AS trade_count
      FROM parts
    ), flat AS (
      SELECT price AS last, quantity AS last_quantity, last_trade.trade_id AS last_id,
        coalesce(open, price) AS open, coalesce(high, price) AS high, coalesce(low, price) AS low,
        volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT trim_scale(last) AS last_price, trim_scale(last_quantity) AS last_quantity,
      trim_scale(open) AS open_price, trim_scale(high) AS high_price, trim_scale(low) AS low_price,
      trim_scale(last - open) AS price_change,
      trim_scale(sign(last - open) * div(abs(last - open) * 200000 + open, 2 * open) / 1000)
        AS price_change_percent,
      trim_scale(CASE WHEN volume = 0 THEN last
        ELSE div(quote_volume * 100000000, volume) / 100000000 END) AS weighted,
      trim_scale(volume) AS volume, trim_scale(quote_volume) AS quote_volume, trade_count,
      (SELECT trade_id FROM first_trade) AS first_id, last_id
    FROM flat`;
  const [row] = (await query.execute(db)).rows;
  return row === undefined ? null : tickerFromRow(row, openTime, now);
}

function tickerFromRow(
  row: TickerRow,
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

export async function selectFundingRates(
  db: Kysely<Tables>,
  { marketId, startTime, endTime, order, limit }: FundingRateFilter,
): Promise<readonly FundingRateEntry[]> {
  const direction = order === 'newest_first' ? 'desc' : 'asc';
  let query = db
    .selectFrom('futures_funding_rates')
    .select(['market_id', 'funding_time', 'funding_rate', 'mark_price'])
    .orderBy('funding_time', direction)
    .orderBy('market_id', direction)
    .limit(limit);
  if (marketId !== null) query = query.where('market_id', '=', marketId);
  if (startTime !== null) query = query.where('funding_time', '>=', new Date(startTime));
  if (endTime !== null) query = query.where('funding_time', '<=', new Date(endTime));
  const rows = await query.execute();
  return rows.map((row) => ({
    marketId: row.market_id as FuturesMarketId,
    fundingTime: row.funding_time.getTime() as TimestampMs,
    fundingRate: rateOf(row.funding_rate),
    markPrice: amountOf(row.mark_price),
  }));
}
