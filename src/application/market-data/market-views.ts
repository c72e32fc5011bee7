import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import { type SpotMarket, type SpotMarketStatus, spotOrdersMax } from '../../domain/spot-market.ts';

// The public JSON of market data, the same on every API; amounts are decimal texts.

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

/** The 24-hour statistics of trades; the book's best prices are added live. */
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

export interface SpotTickerView extends SpotTickerStatistics {
  readonly symbol: string;
  /** Null while that side of the book is empty. */
  readonly best_bid: string | null;
  readonly best_ask: string | null;
}

/** Price and quantity. */
export type PriceLevelView = readonly [price: string, quantity: string];

export interface SpotDepthView {
  readonly symbol: string;
  readonly last_update_id: number;
  /** Best first. */
  readonly bids: readonly PriceLevelView[];
  readonly asks: readonly PriceLevelView[];
}

/** The market's terms and its status. */
export interface SpotMarketView {
  readonly id: string;
  readonly base_token: string;
  readonly quote_token: string;
  readonly tick_size: string;
  readonly lot_size: string;
  readonly min_notional: string;
  readonly maker_fee_bps: number;
  readonly taker_fee_bps: number;
  /** Per account. */
  readonly max_open_orders: number;
  readonly status: SpotMarketStatus;
}

export function viewSpotMarket(market: SpotMarket): SpotMarketView {
  return {
    id: market.symbol,
    base_token: market.baseToken,
    quote_token: market.quoteToken,
    tick_size: formatDecimal(market.tickSize),
    lot_size: formatDecimal(market.lotSize),
    min_notional: formatAmount(market.minNotional),
    maker_fee_bps: market.makerFeeBps,
    taker_fee_bps: market.takerFeeBps,
    max_open_orders: spotOrdersMax,
    status: market.status,
  };
}
