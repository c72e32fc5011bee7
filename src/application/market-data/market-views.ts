// The public shapes of market data, as every surface answers them: amounts are decimal texts.

export { type KlineInterval, klineIntervals } from '../../domain/kline-interval.ts';

export interface KlineView {
  /** Milliseconds since 1970. */
  readonly open_time: number;
  readonly close_time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trade_count: number;
}

export interface PublicSpotTradeView {
  readonly trade_id: string;
  readonly price: string;
  readonly quantity: string;
  readonly quote_quantity: string;
  /** The taker's side. */
  readonly side: 'buy' | 'sell';
  readonly created_at: string;
}

/** The 24-hour statistics that come of trades; the book's best prices are added live. */
export interface SpotTickerStatistics {
  readonly last_price: string;
  readonly open_price: string;
  readonly high_price: string;
  readonly low_price: string;
  readonly price_change: string;
  readonly price_change_percent: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trade_count: number;
  readonly open_time: string;
  readonly close_time: string;
}
