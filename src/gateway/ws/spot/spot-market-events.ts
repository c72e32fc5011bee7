import type { BookLevel } from '../../../application/ports/exchange.ts';
import type { EventFields } from '../futures/event-topic.ts';
import type { EventMarket, TopLevels } from '../futures/market-events.ts';
import * as futures from '../futures/market-events.ts';
import type { EventFormats } from '../futures/market-topics.ts';

// Binance's spot market events that differ from those of futures. Each function leaves out
// `e` and `E`; partial books and best prices have neither.

const { formatLots, formatTicks } = futures;

function levelTexts(market: EventMarket, side: readonly BookLevel[]): readonly string[][] {
  return side.map(({ price, quantity }) => [
    formatTicks(market, price),
    formatLots(market, quantity),
  ]);
}

function bestPrices(market: EventMarket, { bids: [bid], asks: [ask] }: TopLevels): EventFields {
  return {
    b: formatTicks(market, bid?.price ?? 0),
    B: formatLots(market, bid?.quantity ?? 0),
    a: formatTicks(market, ask?.price ?? 0),
    A: formatLots(market, ask?.quantity ?? 0),
  };
}

/** The names and intervals of spot's events. */
export const spotEventFormats: EventFormats = {
  partialDepthName: null,
  bookTickerName: null,
  tickerIntervalMs: 1_000,
  depthUpdate: (market, time, changes) => {
    const { s, U, u, b, a } = futures.depthUpdate(market, time, changes);
    return { s, U, u, b, a };
  },
  partialDepth: (market, _time, { lastUpdateId, bids, asks }) => ({
    lastUpdateId,
    bids: levelTexts(market, bids),
    asks: levelTexts(market, asks),
  }),
  bookTicker: (market, _time, top) => ({
    u: top.lastUpdateId,
    s: market.symbol,
    ...bestPrices(market, top),
  }),
  trade: (market, timed) => {
    const { T, s, t, p, q, m } = futures.trade(market, timed);
    return { s, t, p, q, T, m, M: true };
  },
  aggregateTrade: (market, aggregate) => {
    const { s, a, p, q, f, l, T, m } = futures.aggregateTrade(market, aggregate);
    return { s, a, p, q, f, l, T, m, M: true };
  },
  ticker: (market, day, best) => ({
    ...futures.ticker(market, day),
    x: formatTicks(market, day.previousClose),
    ...bestPrices(market, best),
  }),
  miniTicker: futures.miniTicker,
};
