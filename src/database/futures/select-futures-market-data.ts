import { type Kysely, sql } from 'kysely';
import type {
  FundingRateEntry,
  FundingRateFilter,
  FuturesTicker,
} from '../../application/ports/futures-history.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import {
  eachMarket,
  forEachMarket,
  sumTickerDay,
  type TradedDayRow,
  tickerDayColumns,
  tickerFromRow,
} from '../queries/ticker-day.ts';
import type { Tables } from '../tables.ts';
import { amountOf, rateOf } from './futures-market-rows.ts';

const dayMs = 86_400_000;

/** The 24 hours up to and including `now`, counted as for the spot ticker. */
export async function selectFuturesTickers(
  db: Kysely<Tables>,
  marketIds: readonly FuturesMarketId[],
  now: TimestampMs,
): Promise<ReadonlyMap<FuturesMarketId, FuturesTicker>> {
  const openTime = (now - dayMs) as TimestampMs;
  const day = sumTickerDay({
    trades: 'futures_trades',
    klines: 'futures_klines',
    marketId: eachMarket,
    openTime,
    condition: sql`NOT is_off_book`,
  });
  const tickers = sql`
    WITH ${day}, last_trade AS (
      SELECT price, quantity, trade_id FROM futures_trades
      WHERE market_id = ${eachMarket} AND NOT is_off_book
      ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), first_trade AS (
      SELECT trade_id FROM futures_trades
      WHERE market_id = ${eachMarket} AND created_at >= ${new Date(openTime)} AND NOT is_off_book
      ORDER BY created_at, trade_number LIMIT 1
    ), flat AS (
      SELECT price AS last, quantity AS last_quantity, last_trade.trade_id AS last_id,
        coalesce(open, price) AS open, coalesce(high, price) AS high, coalesce(low, price) AS low,
        volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT ${tickerDayColumns}, trim_scale(last_quantity) AS last_quantity,
      trim_scale(CASE WHEN volume = 0 THEN last
        ELSE div(quote_volume * 100000000, volume) / 100000000 END) AS weighted,
      (SELECT trade_id FROM first_trade) AS first_id, last_id
    FROM flat`;
  const { rows } = await forEachMarket<TradedDayRow>(marketIds, tickers).execute(db);
  return new Map(
    rows.map((row) => [row.market_id as FuturesMarketId, tickerFromRow(row, openTime, now)]),
  );
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
