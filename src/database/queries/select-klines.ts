import { type Kysely, sql } from 'kysely';
import type { FuturesKline } from '../../application/ports/futures-history.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { MarketId, TimestampMs } from '../../domain/identifiers.ts';
import { type KlineInterval, klineCloseTime } from '../../domain/kline-interval.ts';
import type { Tables } from '../tables.ts';

interface KlineFilter {
  readonly marketId: MarketId | FuturesMarketId;
  readonly interval: KlineInterval;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

/**
 * Candles by open time, oldest first: from the start time if given, otherwise the newest ones.
 * Decision 0004: an interval without a trade has no candle.
 */
export async function selectKlines(
  db: Kysely<Tables>,
  table: 'spot_klines' | 'futures_klines',
  { marketId, interval, startTime, endTime, limit }: KlineFilter,
): Promise<readonly FuturesKline[]> {
  const isFromStart = startTime !== null;
  let query = db
    // Both tables have the same columns.
    .selectFrom(table as 'spot_klines')
    .select(['open_time', 'open', 'high', 'low', 'close', 'trade_count'])
    .select([
      sql<string>`trim_scale(volume)`.as('volume'),
      sql<string>`trim_scale(quote_volume)`.as('quote_volume'),
      sql<string>`trim_scale(taker_buy_volume)`.as('taker_buy_volume'),
      sql<string>`trim_scale(taker_buy_quote_volume)`.as('taker_buy_quote_volume'),
    ])
    .where('market_id', '=', marketId as MarketId)
    .where('kline_interval', '=', interval)
    .orderBy('open_time', isFromStart ? 'asc' : 'desc')
    .limit(limit);
  if (isFromStart) query = query.where('open_time', '>=', new Date(startTime));
  if (endTime !== null) query = query.where('open_time', '<=', new Date(endTime));
  const rows = await query.execute();
  if (!isFromStart) rows.reverse();
  return rows.map((row) => {
    const openTime = row.open_time.getTime() as TimestampMs;
    return {
      openTime,
      closeTime: klineCloseTime(interval, openTime),
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: row.volume,
      quoteVolume: row.quote_volume,
      takerBuyVolume: row.taker_buy_volume,
      takerBuyQuoteVolume: row.taker_buy_quote_volume,
      tradeCount: Number(row.trade_count),
    };
  });
}
