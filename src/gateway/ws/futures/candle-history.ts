import { DatabaseError, type ReadBarrier } from '../../../application/ports/database.ts';
import type { FuturesKline, HistoryOrder } from '../../../application/ports/futures-history.ts';
import { amountFromDecimal } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import { requireDecimal } from '../../../domain/decimal.ts';
import type { Sequence } from '../../../domain/identifiers.ts';
import type { KlineInterval } from '../../../domain/kline-interval.ts';
import { type Lots, type Ticks, ticksFromDecimal } from '../../../domain/spot-market.ts';
import type { EventMarket } from './market-events.ts';
import { Slots } from './slots.ts';
import type { TradeCandle } from './trade-candle.ts';

/** Candles up to a known trade, oldest first. */
export interface CandlePast {
  readonly candles: readonly TradeCandle[];
  /** The last price before a day's candles; null if there is none. */
  readonly previousClose: Ticks | null;
  /** 0 if the market had never traded. */
  readonly lastTradeId: number;
}

type NumberedMarket<MarketId> = EventMarket & { readonly marketId: MarketId };

interface CandlePastRequest<MarketId> {
  readonly market: NumberedMarket<MarketId>;
  readonly interval: KlineInterval;
  /** Milliseconds since 1970; null: only the newest candle. */
  readonly startTime: number | null;
  /** The sequence that the database must have reached. */
  readonly sequence: Sequence;
}

/** Where the streams read what was traded before they started. */
export interface CandleHistory<MarketId> {
  /** @throws DatabaseError */
  loadCandles(request: CandlePastRequest<MarketId>): Promise<CandlePast>;
}

interface Span<MarketId> {
  readonly marketId: MarketId;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
}

interface RecordedTrade {
  readonly trade: { readonly tradeId: number; readonly quantity: Lots };
}

/** The database's records of a market's trades, spot or futures. */
interface TradeRecords<MarketId> {
  listKlines(
    filter: Span<MarketId> & { readonly interval: KlineInterval },
  ): Promise<readonly FuturesKline[]>;
  listMarketTrades(
    filter: Span<MarketId> & { readonly from: null; readonly order: HistoryOrder },
  ): Promise<readonly RecordedTrade[]>;
}

const attemptsMax = 100;
// One socket can ask for hundreds of streams, and the database has other callers.
const loadsMax = 4;
// A day's whole minutes, and the partial ones at both ends.
const candlesMax = 1_442;

/** Reads the history from the database. */
export function candleHistory<MarketId>(
  records: TradeRecords<MarketId>,
  barrier: ReadBarrier,
): CandleHistory<MarketId> {
  const slots = new Slots(loadsMax);
  return { loadCandles: (request) => slots.run(() => loadCandles(records, barrier, request)) };
}

// Trades and candles change together in the database, so the candles match the newest trade if it
// is the same before and after they are read.
async function loadCandles<MarketId>(
  records: TradeRecords<MarketId>,
  barrier: ReadBarrier,
  { market, interval, startTime, sequence }: CandlePastRequest<MarketId>,
): Promise<CandlePast> {
  await barrier.waitFor(sequence);
  const limit = startTime === null ? 1 : candlesMax;
  const { marketId } = market;
  let before = await newestTrade(records, market);
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const filter = { marketId, interval, startTime, endTime: null, limit };
    const klines = await records.listKlines(filter);
    const first = await firstTradeFrom(records, market, klines[0]);
    const previousClose = await closeBefore(records, market, startTime);
    const after = await newestTrade(records, market);
    if (after?.trade.tradeId === before?.trade.tradeId) {
      const lastTradeId = after?.trade.tradeId ?? 0;
      const lastQuantity = after?.trade.quantity ?? (0 as Lots);
      const candles = klines.map((kline, index) => ({
        ...candleOf(market, kline),
        lastQuantity,
        firstTradeId: index === 0 ? first : 0,
        lastTradeId,
      }));
      return { candles, previousClose, lastTradeId };
    }
    before = after;
  }
  const text = `candles of ${market.symbol} changed during each of ${attemptsMax} readings`;
  throw new DatabaseError(text);
}

async function newestTrade<MarketId>(
  records: TradeRecords<MarketId>,
  { marketId }: NumberedMarket<MarketId>,
): Promise<RecordedTrade | undefined> {
  const [newest] = await records.listMarketTrades({
    marketId,
    from: null,
    startTime: null,
    endTime: null,
    limit: 1,
    order: 'newest_first',
  });
  return newest;
}

async function firstTradeFrom<MarketId>(
  records: TradeRecords<MarketId>,
  { marketId }: NumberedMarket<MarketId>,
  kline: FuturesKline | undefined,
): Promise<number> {
  if (kline === undefined) return 0;
  const [first] = await records.listMarketTrades({
    marketId,
    from: null,
    startTime: kline.openTime,
    endTime: null,
    limit: 1,
    order: 'oldest_first',
  });
  return first?.trade.tradeId ?? 0;
}

async function closeBefore<MarketId>(
  records: TradeRecords<MarketId>,
  market: NumberedMarket<MarketId>,
  startTime: number | null,
): Promise<Ticks | null> {
  if (startTime === null) return null;
  const { marketId } = market;
  const [last] = await records.listKlines({
    marketId,
    interval: '1m',
    startTime: null,
    endTime: startTime - 1,
    limit: 1,
  });
  return last === undefined ? null : ticksOf(market, last.close);
}

function candleOf(
  market: EventMarket,
  kline: FuturesKline,
): Omit<TradeCandle, 'lastQuantity' | 'firstTradeId' | 'lastTradeId'> {
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

function ticksOf(market: EventMarket, text: string): Ticks {
  const ticks = ticksFromDecimal(market, requireDecimal(text));
  assert(ticks !== null, `${text} is a price of ${market.symbol}`);
  return ticks;
}

function lotsOf({ lotSize }: EventMarket, text: string): bigint {
  return requireDecimal(text) / lotSize;
}

function amountOf(text: string) {
  const amount = amountFromDecimal(requireDecimal(text));
  assert(amount !== null, `${text} is an amount`);
  return amount;
}
