import { type Kysely, sql } from 'kysely';

// What clients of Binance's spot ask for beyond the exchange's own surface: orders by the name that
// their client gave them, and what takers bought in each candle.

// Open times are whole intervals in UTC, weeks from Monday on, so the length says where each ends.
const takerVolumes = `
  WITH sums AS (
    SELECT kline.market_id, kline.kline_interval, kline.open_time,
      sum(trade.quantity) AS volume, sum(trade.quote_quantity) AS quote_volume
    FROM spot_klines AS kline
    JOIN spot_trades AS trade ON trade.market_id = kline.market_id
      AND trade.created_at >= kline.open_time
      AND trade.created_at < ((kline.open_time AT TIME ZONE 'UTC')
        + (CASE kline.kline_interval WHEN '1M' THEN '1 month'
            ELSE replace(kline.kline_interval, 'm', ' minute') END)::interval)
        AT TIME ZONE 'UTC'
    WHERE trade.taker_side = 'buy'
    GROUP BY kline.market_id, kline.kline_interval, kline.open_time
  )
  UPDATE spot_klines AS kline
  SET taker_buy_volume = sums.volume, taker_buy_quote_volume = sums.quote_volume
  FROM sums
  WHERE kline.market_id = sums.market_id AND kline.kline_interval = sums.kline_interval
    AND kline.open_time = sums.open_time`;

const statements = [
  `CREATE INDEX spot_orders_by_client_order_id
    ON spot_orders (account_id, client_order_id, order_number) WHERE client_order_id IS NOT NULL`,
  `ALTER TABLE spot_klines
    ADD COLUMN taker_buy_volume numeric NOT NULL DEFAULT 0
      CHECK (taker_buy_volume >= 0 AND taker_buy_volume < 'Infinity'),
    ADD COLUMN taker_buy_quote_volume numeric NOT NULL DEFAULT 0
      CHECK (taker_buy_quote_volume >= 0 AND taker_buy_quote_volume < 'Infinity')`,
  takerVolumes,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
