import { type Amount, formatAmount, requireAmount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { formatDecimal, parseDecimal } from '../../domain/decimal.ts';
import { type KlineInterval, klineCloseTime, klineOpenTime } from '../../domain/kline-interval.ts';
import {
  decimalFromTicks,
  type SpotMarket,
  type Ticks,
  ticksFromDecimal,
} from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import type { KlineView } from './market-views.ts';

/** The parts of a spot or futures market and trade that candles need. */
export type CandleMarket = Pick<SpotMarket, 'symbol' | 'tickSize' | 'lotAmount'>;
export type CandleTrade = Pick<SpotTrade, 'price' | 'quantity' | 'quoteAmount'>;

/** The trades of one interval, summed up. A candle exists from its first trade on. */
export interface Candle {
  readonly openTime: number;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  /** In the base token. */
  volume: Amount;
  quoteVolume: Amount;
  tradeCount: number;
}

/** A candle with its first trade. */
export function openCandle(
  market: CandleMarket,
  interval: KlineInterval,
  { price, quantity, quoteAmount }: CandleTrade,
  time: number,
): Candle {
  return {
    openTime: klineOpenTime(interval, time),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: toAmount(BigInt(quantity) * market.lotAmount),
    quoteVolume: quoteAmount,
    tradeCount: 1,
  };
}

/** Adds a later trade of the same interval. */
export function growCandle(market: CandleMarket, candle: Candle, trade: CandleTrade): void {
  if (trade.price > candle.high) candle.high = trade.price;
  if (trade.price < candle.low) candle.low = trade.price;
  candle.close = trade.price;
  candle.volume = toAmount(candle.volume + BigInt(trade.quantity) * market.lotAmount);
  candle.quoteVolume = toAmount(candle.quoteVolume + trade.quoteAmount);
  candle.tradeCount += 1;
}

export function viewCandle(
  market: CandleMarket,
  interval: KlineInterval,
  candle: Candle,
): KlineView {
  const price = (ticks: Ticks): string => formatDecimal(decimalFromTicks(market, ticks));
  return {
    open_time: candle.openTime,
    close_time: klineCloseTime(interval, candle.openTime),
    open: price(candle.open),
    high: price(candle.high),
    low: price(candle.low),
    close: price(candle.close),
    volume: formatAmount(candle.volume),
    quote_volume: formatAmount(candle.quoteVolume),
    trade_count: candle.tradeCount,
  };
}

/** A candle read from history; the market must be the one that wrote it. */
export function candleFromView(market: CandleMarket, view: KlineView): Candle {
  return {
    openTime: view.open_time,
    open: requireTicks(market, view.open),
    high: requireTicks(market, view.high),
    low: requireTicks(market, view.low),
    close: requireTicks(market, view.close),
    volume: requireAmount(view.volume),
    quoteVolume: requireAmount(view.quote_volume),
    tradeCount: view.trade_count,
  };
}

/** Parses a price of history as ticks. */
export function requireTicks(market: CandleMarket, text: string): Ticks {
  const price = parseDecimal(text);
  const ticks = price === null ? null : ticksFromDecimal(market, price);
  assert(ticks !== null, `${text} is a price of ${market.symbol}`);
  return ticks;
}
