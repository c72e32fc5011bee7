import { DatabaseError, type ReadBarrier } from '../../../application/ports.ts';
import type { FuturesHistory, FuturesKline } from '../../../application/ports-futures.ts';
import { amountFromDecimal } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import { type Decimal, parseDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { Sequence } from '../../../domain/identifiers.ts';
import type { KlineInterval } from '../../../domain/kline-interval.ts';
import { type Lots, type Ticks, ticksFromDecimal } from '../../../domain/spot-market.ts';
import { Slots } from './slots.ts';
import type { TradeCandle } from './trade-candle.ts';

/** Candles up to a known trade, oldest first. */
export interface CandlePast {
  readonly candles: readonly TradeCandle[];
  /** 0 where the market had never traded. */
  readonly lastTradeNumber: number;
}

export interface CandlePastRequest {
  readonly market: FuturesMarket;
  readonly interval: KlineInterval;
  /** Milliseconds since 1970; null: only the newest candle. */
  readonly startTime: number | null;
  /** What the database must hold at least. */
  readonly sequence: Sequence;
}

/** Where the futures streams learn what was traded before they began to watch. */
export interface FuturesCandleHistory {
  /** @throws DatabaseError */
  loadCandles(request: CandlePastRequest): Promise<CandlePast>;
}

const attemptsMax = 100;
// One socket may ask for hundreds of streams, and the database has other callers.
const loadsMax = 4;
// A day's whole minutes, with the broken ones at both of its ends.
const candlesMax = 1_442;

/** Reads the past from the database. */
export function futuresCandleHistory(
  history: FuturesHistory,
  barrier: ReadBarrier,
): FuturesCandleHistory {
  const slots = new Slots(loadsMax);
  return { loadCandles: (request) => slots.run(() => loadCandles(history, barrier, request)) };
}

// Trades and candles change together in the database, so candles belong to the newest trade that
// stands there both before and after they were read.
async function loadCandles(
  history: FuturesHistory,
  barrier: ReadBarrier,
  { market, interval, startTime, sequence }: CandlePastRequest,
): Promise<CandlePast> {
  await barrier.waitFor(sequence);
  const limit = startTime === null ? 1 : candlesMax;
  const { marketId } = market;
  let before = await newestTrade(history, market);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const filter = { marketId, interval, startTime, endTime: null, limit };
    const klines = await history.listKlines(filter);
    const first = await firstTradeFrom(history, market, klines[0]);
    const after = await newestTrade(history, market);
    if (after?.trade.tradeNumber === before?.trade.tradeNumber) {
      const lastTradeNumber = after?.trade.tradeNumber ?? 0;
      const lastQuantity = after?.trade.quantity ?? (0 as Lots);
      const candles = klines.map((kline, index) => ({
        ...candleOf(market, kline),
        lastQuantity,
        firstTradeNumber: index === 0 ? first : 0,
        lastTradeNumber,
      }));
      return { candles, lastTradeNumber };
    }
    before = after;
  }
  const text = `candles of ${market.symbol} changed during each of ${attemptsMax} readings`;
  throw new DatabaseError(text);
}

async function newestTrade(history: FuturesHistory, { marketId }: FuturesMarket) {
  const [newest] = await history.listMarketTrades({
    ...{ marketId, from: null, startTime: null, endTime: null, limit: 1 },
    order: 'newest_first',
  });
  return newest;
}

async function firstTradeFrom(
  history: FuturesHistory,
  { marketId }: FuturesMarket,
  kline: FuturesKline | undefined,
): Promise<number> {
  if (kline === undefined) return 0;
  const [first] = await history.listMarketTrades({
    ...{ marketId, from: null, startTime: kline.openTime, endTime: null, limit: 1 },
    order: 'oldest_first',
  });
  return first?.trade.tradeNumber ?? 0;
}

function candleOf(
  market: FuturesMarket,
  kline: FuturesKline,
): Omit<TradeCandle, 'lastQuantity' | 'firstTradeNumber' | 'lastTradeNumber'> {
  return {
    openTime: kline.openTime,
    open: ticksOf(market, kline.open),
    high: ticksOf(market, kline.high),
    low: ticksOf(market, kline.low),
    close: ticksOf(market, kline.close),
    volume: lotsOf(market, kline.volume),
    quoteVolume: amountOf(kline.quoteVolume),
    takerBuyVolume: lotsOf(market, kline.takerBuyVolume),
    takerBuyQuoteVolume: amountOf(kline.takerBuyQuoteVolume),
    tradeCount: kline.tradeCount,
  };
}

function ticksOf(market: FuturesMarket, text: string): Ticks {
  const ticks = ticksFromDecimal(market, decimalOf(text));
  assert(ticks !== null, `${text} is a price of ${market.symbol}`);
  return ticks;
}

function lotsOf({ lotSize }: FuturesMarket, text: string): bigint {
  return decimalOf(text) / lotSize;
}

function amountOf(text: string) {
  const amount = amountFromDecimal(decimalOf(text));
  assert(amount !== null, `${text} is an amount`);
  return amount;
}

function decimalOf(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `${text} is a decimal`);
  return value;
}
