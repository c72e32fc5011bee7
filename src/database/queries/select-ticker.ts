import { type Kysely, sql } from 'kysely';
import type { SpotTickerStatistics } from '../../application/market-data/market-views.ts';
import type { MarketId, TimestampMs } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import { sumTickerDay, type TickerDayRow, tickerDayColumns } from './ticker-day.ts';

const dayMs = 86_400_000;

/** The trades from `openTime`, by default 24 hours ago, up to and including `now`. */
export async function selectTicker(
  db: Kysely<Tables>,
  marketId: MarketId,
  now: TimestampMs,
  openTime: number = now - dayMs,
): Promise<SpotTickerStatistics | null> {
  const day = sumTickerDay({
    trades: 'spot_trades',
    klines: 'spot_klines',
    marketId,
    openTime,
    condition: sql`true`,
  });
  const query = sql<TickerDayRow>`
    WITH ${day}, last_trade AS (
      SELECT price FROM spot_trades
      WHERE market_id = ${marketId} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), flat AS (
      SELECT price AS last, coalesce(open, price) AS open, coalesce(high, price) AS high,
        coalesce(low, price) AS low, volume, quote_volume, trade_count
      FROM day CROSS JOIN last_trade
    )
    SELECT ${tickerDayColumns} FROM flat`;
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) return null;
  return {
    ...row,
    trade_count: Number(row.trade_count),
    open_time: new Date(openTime).toISOString(),
    close_time: new Date(now).toISOString(),
  };
}
