import { type Kysely, sql } from 'kysely';
import type { KlineView } from '../../application/market-data/market-views.ts';
import type { KlineFilter } from '../../application/ports.ts';
import type { MarketId } from '../../domain/identifiers.ts';
import { klineCloseTime } from '../../domain/kline-interval.ts';
import type { Tables } from '../tables.ts';

/**
 * Candles by opening time, oldest first: from the start where one is given, else the newest ones.
 * Decision 0004: an interval without a trade has no candle.
 */
export async function selectKlines(
  db: Kysely<Tables>,
  marketId: MarketId,
  filter: KlineFilter,
): Promise<readonly KlineView[]> {
  const { interval, startTime, endTime } = filter;
  const isFromStart = startTime !== null;
  let query = db
    .selectFrom('spot_klines')
    .select(['open_time', 'open', 'high', 'low', 'close', 'trade_count'])
    .select([
      sql<string>`trim_scale(volume)`.as('volume'),
      sql<string>`trim_scale(quote_volume)`.as('quote_volume'),
    ])
    .where('market_id', '=', marketId)
    .where('kline_interval', '=', interval)
    .orderBy('open_time', isFromStart ? 'asc' : 'desc')
    .limit(filter.limit);
  if (isFromStart) query = query.where('open_time', '>=', new Date(startTime));
  if (endTime !== null) query = query.where('open_time', '<=', new Date(endTime));
  const rows = await query.execute();
  if (!isFromStart) rows.reverse();
  return rows.map((row) => {
    const openTime = row.open_time.getTime();
    return {
      open_time: openTime,
      close_time: klineCloseTime(interval, openTime),
      open: row.open,
      high: row.high,
      low: row.low,
      close: row.close,
      volume: row.volume,
      quote_volume: row.quote_volume,
      trade_count: Number(row.trade_count),
    };
  });
}
