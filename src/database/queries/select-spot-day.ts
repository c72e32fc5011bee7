import { type Kysely, sql } from 'kysely';
import type { AveragePrice, SpotDay } from '../../application/ports/spot-records.ts';
import type { MarketId, TimestampMs, TradeId } from '../../domain/identifiers.ts';
import type { Tables } from '../tables.ts';
import { selectTicker } from './select-ticker.ts';

const dayMs = 86_400_000;

interface EdgeRow {
  readonly last_quantity: string;
  readonly weighted: string;
  readonly previous_close: string;
  readonly first_id: string | null;
  readonly last_id: string;
}

/**
 * The 24 hours as the exchange's own ticker counts them, with the data of their first and last
 * trades.
 */
export async function selectSpotDay(
  db: Kysely<Tables>,
  marketId: MarketId,
  now: TimestampMs,
  since: number = now - dayMs,
): Promise<SpotDay | null> {
  const day = await selectTicker(db, marketId, now, since);
  if (day === null) return null;
  const openTime = since as TimestampMs;
  const start = new Date(openTime);
  const query = sql<EdgeRow>`
    WITH last_trade AS (
      SELECT quantity, trade_id FROM spot_trades
      WHERE market_id = ${marketId} ORDER BY created_at DESC, trade_number DESC LIMIT 1
    ), first_trade AS (
      SELECT trade_id FROM spot_trades
      WHERE market_id = ${marketId} AND created_at >= ${start}
      ORDER BY created_at, trade_number LIMIT 1
    ), before AS (
      SELECT price FROM spot_trades WHERE market_id = ${marketId} AND created_at < ${start}
      ORDER BY created_at DESC, trade_number DESC LIMIT 1
    )
    SELECT trim_scale(last_trade.quantity) AS last_quantity,
      trim_scale(CASE WHEN ${day.volume}::numeric = 0 THEN ${day.last_price}::numeric
        ELSE div(${day.quote_volume}::numeric * 100000000, ${day.volume}::numeric) / 100000000 END)
        AS weighted,
      trim_scale(coalesce((SELECT price FROM before), ${day.open_price}::numeric))
        AS previous_close,
      (SELECT trade_id FROM first_trade) AS first_id, last_trade.trade_id AS last_id
    FROM last_trade`;
  const [edges] = (await query.execute(db)).rows;
  if (edges === undefined) return null;
  const first = edges.first_id;
  return {
    lastPrice: day.last_price,
    lastQuantity: edges.last_quantity,
    openPrice: day.open_price,
    highPrice: day.high_price,
    lowPrice: day.low_price,
    priceChange: day.price_change,
    priceChangePercent: day.price_change_percent,
    weightedAveragePrice: edges.weighted,
    volume: day.volume,
    quoteVolume: day.quote_volume,
    tradeCount: day.trade_count,
    firstTradeId: first === null ? null : (Number(first) as TradeId),
    lastTradeId: first === null ? null : (Number(edges.last_id) as TradeId),
    openTime,
    closeTime: now,
    previousClose: edges.previous_close,
  };
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
