import { contractStatus, perpetualDelivery } from '../../../application/futures/contract-status.ts';
import type { AggregateTrade } from '../../../application/market-data/aggregate-trades.ts';
import { formatPercent } from '../../../application/market-data/ticker-window.ts';
import type { BookLevel, MarkPriceChanged } from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { decimalScale, formatDecimal, formatScaled } from '../../../domain/decimal.ts';
import { type FuturesMarket, rateScale } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import { type KlineInterval, klineCloseTime } from '../../../domain/kline-interval.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type Ticks,
} from '../../../domain/spot-market.ts';
import { upperWord } from '../../../domain/upper-word.ts';
import type { TimedTrade } from '../channels/baseline.ts';
import { formatAverage } from './average-price.ts';
import type { DayStatistics } from './day-window.ts';
import type { DepthChanges, EventFields } from './event-topic.ts';
import type { TradeCandle } from './trade-candle.ts';

// The fields of Binance's USD-M market events: prices and quantities are texts, ids and times
// numbers. Each function leaves out `e` and `E`, which precede them in every event.

/** What events need from a market, spot or futures. */
export type EventMarket = Pick<FuturesMarket, 'symbol' | 'tickSize' | 'lotSize'>;

export function formatTicks(market: EventMarket, price: number): string {
  return formatDecimal(decimalFromTicks(market, price as Ticks));
}

export function formatLots(market: EventMarket, quantity: number | bigint): string {
  if (typeof quantity === 'number') return formatDecimal(decimalFromLots(market, quantity as Lots));
  return formatScaled(quantity * market.lotSize, decimalScale);
}

type TextLevel = readonly [price: string, quantity: string];

export function depthUpdate(market: EventMarket, time: number, changes: DepthChanges): EventFields {
  const levels = (side: ReadonlyMap<number, number>): readonly TextLevel[] =>
    [...side].map(([price, quantity]) => [
      formatTicks(market, price),
      formatLots(market, quantity),
    ]);
  return {
    T: time,
    s: market.symbol,
    U: changes.firstUpdateId,
    u: changes.lastUpdateId,
    pu: changes.previousUpdateId,
    b: levels(changes.bids),
    a: levels(changes.asks),
  };
}

export interface TopLevels {
  readonly lastUpdateId: number;
  readonly previousUpdateId: number;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

export function partialDepth(market: EventMarket, time: number, top: TopLevels): EventFields {
  const levels = (side: readonly BookLevel[]): readonly TextLevel[] =>
    side.map(({ price, quantity }) => [formatTicks(market, price), formatLots(market, quantity)]);
  return {
    T: time,
    s: market.symbol,
    U: top.previousUpdateId + 1,
    u: top.lastUpdateId,
    pu: top.previousUpdateId,
    b: levels(top.bids),
    a: levels(top.asks),
  };
}

/** An empty side has price and quantity "0". */
export function bookTicker(market: EventMarket, time: number, top: TopLevels): EventFields {
  const [bid] = top.bids;
  const [ask] = top.asks;
  return {
    u: top.lastUpdateId,
    T: time,
    s: market.symbol,
    b: formatTicks(market, bid?.price ?? 0),
    B: formatLots(market, bid?.quantity ?? 0),
    a: formatTicks(market, ask?.price ?? 0),
    A: formatLots(market, ask?.quantity ?? 0),
  };
}

export function trade(market: EventMarket, { trade: made, time }: TimedTrade): EventFields {
  return {
    T: time,
    s: market.symbol,
    t: made.tradeId,
    p: formatTicks(market, made.price),
    q: formatLots(market, made.quantity),
    X: 'MARKET',
    m: made.takerSide === 'sell',
  };
}

export function aggregateTrade(market: EventMarket, aggregate: AggregateTrade): EventFields {
  const quantity = formatLots(market, aggregate.quantity);
  return {
    s: market.symbol,
    a: aggregate.firstTradeId,
    p: formatTicks(market, aggregate.price),
    q: quantity,
    nq: quantity,
    f: aggregate.firstTradeId,
    l: aggregate.lastTradeId,
    T: aggregate.time,
    m: aggregate.takerSide === 'sell',
  };
}

export function markPriceUpdate(market: EventMarket, event: MarkPriceChanged): EventFields {
  const markPrice = formatAmount(event.markPrice);
  return {
    s: market.symbol,
    p: markPrice,
    ap: markPrice,
    i: formatAmount(event.indexPrice),
    P: formatAmount(event.indexPrice),
    r: formatScaled(event.fundingRate, rateScale),
    T: event.nextFundingTime,
  };
}

export function kline(
  market: EventMarket,
  interval: KlineInterval,
  candle: TradeCandle,
  isClosed: boolean,
): EventFields {
  const { t, T, ...rest } = candleFields(market, interval, candle, isClosed);
  return { s: market.symbol, k: { t, T, s: market.symbol, ...rest } };
}

/** The same candle under the name of its pair, which has only one contract here, the perpetual. */
export function continuousKline(
  market: EventMarket,
  interval: KlineInterval,
  candle: TradeCandle,
  isClosed: boolean,
): EventFields {
  const k = candleFields(market, interval, candle, isClosed);
  return { ps: market.symbol, ct: 'PERPETUAL', k };
}

function candleFields(
  market: EventMarket,
  interval: KlineInterval,
  candle: TradeCandle,
  isClosed: boolean,
) {
  return {
    t: candle.openTime,
    T: klineCloseTime(interval, candle.openTime),
    i: interval,
    f: candle.firstTradeId,
    L: candle.lastTradeId,
    o: formatTicks(market, candle.open),
    c: formatTicks(market, candle.close),
    h: formatTicks(market, candle.high),
    l: formatTicks(market, candle.low),
    v: formatLots(market, candle.volume),
    n: candle.tradeCount,
    x: isClosed,
    q: formatAmount(candle.quoteVolume),
    V: formatLots(market, candle.takerBuyVolume),
    Q: formatAmount(candle.takerBuyQuoteVolume),
    B: '0',
  };
}

export function miniTicker(market: EventMarket, day: DayStatistics): EventFields {
  return {
    s: market.symbol,
    c: formatTicks(market, day.newest.close),
    o: formatTicks(market, day.open),
    h: formatTicks(market, day.high),
    l: formatTicks(market, day.low),
    v: formatLots(market, day.volume),
    q: formatAmount(day.quoteVolume),
  };
}

export function ticker(market: EventMarket, day: DayStatistics): EventFields {
  const change = decimalFromTicks(market, day.newest.close) - decimalFromTicks(market, day.open);
  return {
    p: formatScaled(change, decimalScale),
    P: formatPercent(day.open, day.newest.close),
    w: formatAverage(market, day.quoteVolume, day.volume) ?? formatTicks(market, day.newest.close),
    Q: formatLots(market, day.newest.lastQuantity),
    ...miniTicker(market, day),
    n: day.tradeCount,
    F: day.firstTradeId,
    L: day.newest.lastTradeId,
  };
}

/** The fields of spot's tickers over a window of hours. */
export function rollingTicker(market: EventMarket, window: DayStatistics): EventFields {
  const { s, p, P, o, h, l, c, w, v, q, F, L, n } = ticker(market, window);
  return { s, p, P, o, h, l, c, w, v, q, O: window.openTime, C: window.closeTime, F, L, n };
}

/** The average price of the last five minutes; without a trade in them the last price. */
export function averagePrice(
  market: EventMarket,
  { quoteVolume, volume, newest }: DayStatistics,
  tradedAt: number,
): EventFields {
  return {
    s: market.symbol,
    i: '5m',
    w: formatAverage(market, quoteVolume, volume) ?? formatTicks(market, newest.close),
    T: tradedAt,
  };
}

/** A market's current listing. */
export function contractInfo({ symbol, createdAt, status }: FuturesMarket): EventFields {
  return {
    s: symbol,
    ps: symbol,
    ct: 'PERPETUAL',
    dt: perpetualDelivery,
    ot: createdAt,
    cs: contractStatus(status),
  };
}

/** A liquidation in its final state; the prices of a market order are its fill prices. */
export function forceOrder(market: EventMarket, order: FuturesOrder): EventFields {
  const average = formatAverage(market, order.filledQuote, BigInt(order.filledQuantity)) ?? '0';
  const filled = formatLots(market, order.filledQuantity);
  return {
    o: {
      s: market.symbol,
      S: upperWord(order.side),
      o: upperWord(order.type),
      f: upperWord(order.timeInForce),
      q: formatLots(market, order.quantity),
      p: order.price === null ? average : formatTicks(market, order.price),
      ap: average,
      X: upperWord(order.status),
      l: filled,
      z: filled,
      T: order.updatedAt,
    },
  };
}
