import type { FuturesKline } from '../ports/futures-history.ts';
import type { KlineView } from './market-views.ts';

export function viewKline(kline: FuturesKline): KlineView {
  return {
    open_time: kline.openTime,
    close_time: kline.closeTime,
    open: kline.open,
    high: kline.high,
    low: kline.low,
    close: kline.close,
    volume: kline.volume,
    quote_volume: kline.quoteVolume,
    trade_count: kline.tradeCount,
  };
}
