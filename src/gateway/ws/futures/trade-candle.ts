import { type Amount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import { type KlineInterval, klineOpenTime } from '../../../domain/kline-interval.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { StreamTrade, TimedTrade } from '../channels/baseline.ts';

/** The trades of one interval, summed up; it exists from its first trade on. */
export interface TradeCandle {
  readonly openTime: number;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  lastQuantity: Lots;
  /** In lots; a bigint, as days of trading can exceed 2^53 lots. */
  volume: bigint;
  quoteVolume: Amount;
  takerBuyVolume: bigint;
  takerBuyQuoteVolume: Amount;
  tradeCount: number;
  /** 0 if unknown. */
  readonly firstTradeId: number;
  lastTradeId: number;
}

/** Creates a candle from its first trade. */
export function openTradeCandle(interval: KlineInterval, { trade, time }: TimedTrade): TradeCandle {
  const { price, tradeId } = trade;
  const candle: TradeCandle = {
    openTime: klineOpenTime(interval, time),
    open: price,
    high: price,
    low: price,
    close: price,
    lastQuantity: trade.quantity,
    volume: 0n,
    quoteVolume: zeroAmount,
    takerBuyVolume: 0n,
    takerBuyQuoteVolume: zeroAmount,
    tradeCount: 0,
    firstTradeId: tradeId,
    lastTradeId: tradeId,
  };
  growTradeCandle(candle, trade);
  return candle;
}

/** Adds a later trade of the same interval. */
export function growTradeCandle(candle: TradeCandle, trade: StreamTrade): void {
  const { price, quantity, quoteAmount, takerSide, tradeId } = trade;
  if (price > candle.high) candle.high = price;
  if (price < candle.low) candle.low = price;
  candle.close = price;
  candle.lastQuantity = quantity;
  candle.volume += BigInt(quantity);
  candle.quoteVolume = toAmount(candle.quoteVolume + quoteAmount);
  if (takerSide === 'buy') {
    candle.takerBuyVolume += BigInt(quantity);
    candle.takerBuyQuoteVolume = toAmount(candle.takerBuyQuoteVolume + quoteAmount);
  }
  candle.tradeCount += 1;
  candle.lastTradeId = tradeId;
}
