import { type Amount, toAmount } from '../../domain/amount.ts';
import { type KlineInterval, klineIntervals, klineOpenTime } from '../../domain/kline-interval.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';

// The candles of a batch's trades in every interval, for spot and futures.

/** The part of a trade that candles need. */
export interface CandleTrade {
  readonly marketId: number;
  readonly timestamp: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly quoteAmount: Amount;
  readonly isTakerBuyer: boolean;
}

export interface FoldedCandle {
  readonly marketId: number;
  readonly interval: KlineInterval;
  readonly openTime: number;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  /** In lots. */
  volume: bigint;
  quoteVolume: Amount;
  takerBuyVolume: bigint;
  takerBuyQuoteVolume: Amount;
  tradeCount: number;
}

/** One candle per interval and open time; the trades are in order of time. */
export function foldCandles(trades: Iterable<CandleTrade>): readonly FoldedCandle[] {
  // Minutes first: every other interval is whole minutes, so a batch is scanned once.
  const minutes = new Map<string, FoldedCandle>();
  for (const trade of trades) addCandle(minutes, candleOfTrade(trade));
  const candles = new Map<string, FoldedCandle>();
  for (const minute of minutes.values()) {
    for (const interval of klineIntervals) {
      const openTime = klineOpenTime(interval, minute.openTime);
      addCandle(candles, { ...minute, interval, openTime });
    }
  }
  return [...candles.values()];
}

function candleOfTrade(trade: CandleTrade): FoldedCandle {
  const { price, quoteAmount, isTakerBuyer } = trade;
  const volume = BigInt(trade.quantity);
  return {
    marketId: trade.marketId,
    interval: '1m',
    openTime: klineOpenTime('1m', trade.timestamp),
    open: price,
    high: price,
    low: price,
    close: price,
    volume,
    quoteVolume: quoteAmount,
    takerBuyVolume: isTakerBuyer ? volume : 0n,
    takerBuyQuoteVolume: isTakerBuyer ? quoteAmount : toAmount(0n),
    tradeCount: 1,
  };
}

/** Merges a candle that is later than those already merged under its key. */
function addCandle(candles: Map<string, FoldedCandle>, added: FoldedCandle): void {
  const key = `${added.marketId} ${added.interval} ${added.openTime}`;
  const candle = candles.get(key);
  if (candle === undefined) {
    candles.set(key, added);
    return;
  }
  if (added.high > candle.high) candle.high = added.high;
  if (added.low < candle.low) candle.low = added.low;
  candle.close = added.close;
  candle.volume += added.volume;
  candle.quoteVolume = toAmount(candle.quoteVolume + added.quoteVolume);
  candle.takerBuyVolume += added.takerBuyVolume;
  candle.takerBuyQuoteVolume = toAmount(candle.takerBuyQuoteVolume + added.takerBuyQuoteVolume);
  candle.tradeCount += added.tradeCount;
}
