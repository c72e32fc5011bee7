import { type Kysely, sql } from 'kysely';
import type { SpotTickerStatistics } from '../../application/market-data/market-views.ts';
import type { MarketId, TimestampMs } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import {
  eachMarket,
  forEachMarket,
  sumTickerDay,
  type TickerDayRow,
  tickerDayColumns,
} from './ticker-day.ts';

const dayMs = 86_400_000;

/** The 24 hours up to and including `now` of each of the markets that has ever traded. */
export async function selectTickers(
  db: Kysely<Tables>,
  marketIds: readonly MarketId[],
  now: TimestampMs,
): Promise<ReadonlyMap<MarketId, SpotTickerStatistics>> {
  const openTime = now - dayMs;
  const day = sumTickerDay({
    trades: 'spot_trades',
    klines: 'spot_klines',
    marketId: eachMarket,
    openTime,
    condition: sql`true`,
  });
  const tickers = sql`
    WITH ${day}, last_trade AS (
      SELECT price FROM spot_trades
      WHERE market_id = ${eachMarket} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), flat AS (
      SELECT price AS last, coalesce(open, price) AS open, coalesce(high, price) AS high,
        coalesce(low, price) AS low, volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT ${tickerDayColumns} FROM flat`;
  const query = forEachMarket<TickerDayRow>(marketIds, tickers);
  const { rows } = await query.execute(db);
  const span = {
    open_time: new Date(openTime).toISOString(),
    close_time: new Date(now).toISOString(),
  };
  return new Map(
    rows.map(({ market_id, ...row }) => {
      return [market_id as MarketId, { ...row, trade_count: Number(row.trade_count), ...span }];
    }),
  );
}
