import { type Amount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import type { FuturesTrade } from '../../../domain/futures-order.ts';
import { klineOpenTime } from '../../../domain/kline-interval.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import { growTradeCandle, openTradeCandle, type TradeCandle } from './trade-candle.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** What the last 24 hours of a market came to. */
export interface DayStatistics {
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly newest: TradeCandle;
  readonly volume: bigint;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
  readonly firstTradeNumber: number;
  readonly openTime: number;
  readonly closeTime: number;
}

/** The last 24 hours in candles of a minute: it opens with a whole minute and ends now. */
export class DayWindow {
  #minutes: TradeCandle[];
  /** The newest candle ever, kept when its day is over. */
  #newest: TradeCandle | null;

  constructor(minutes: readonly TradeCandle[]) {
    this.#minutes = [...minutes];
    this.#newest = this.#minutes.at(-1) ?? null;
  }

  /** Adds a trade that is not older than any before it. */
  add(trade: FuturesTrade, time: number): void {
    const newest = this.#minutes.at(-1);
    if (newest !== undefined && newest.openTime === klineOpenTime('1m', time)) {
      growTradeCandle(newest, trade);
      return;
    }
    const minute = openTradeCandle('1m', { trade, time });
    this.#minutes.push(minute);
    this.#newest = minute;
    this.#dropBefore(time);
  }

  /** Null before the market's first trade; a day without one is flat at the last price. */
  read(now: number): DayStatistics | null {
    this.#dropBefore(now);
    const newest = this.#newest;
    if (newest === null) return null;
    const first = this.#minutes[0];
    let high = first?.high ?? newest.close;
    let low = first?.low ?? newest.close;
    let volume = 0n;
    let quoteVolume: bigint = zeroAmount;
    let tradeCount = 0;
    for (const minute of this.#minutes) {
      if (minute.high > high) high = minute.high;
      if (minute.low < low) low = minute.low;
      volume += minute.volume;
      quoteVolume += minute.quoteVolume;
      tradeCount += minute.tradeCount;
    }
    return {
      open: first?.open ?? newest.close,
      high,
      low,
      newest,
      volume,
      quoteVolume: toAmount(quoteVolume),
      tradeCount,
      firstTradeNumber: firstKnownTrade(this.#minutes) ?? newest.lastTradeNumber,
      openTime: now - dayMs,
      closeTime: now,
    };
  }

  #dropBefore(now: number): void {
    const firstWholeMinute = klineOpenTime('1m', now - dayMs + minuteMs - 1);
    const kept = this.#minutes.findIndex(({ openTime }) => openTime >= firstWholeMinute);
    if (kept > 0) this.#minutes = this.#minutes.slice(kept);
    else if (kept < 0) this.#minutes = [];
  }
}

/** Candles of history do not all know their first trade. */
function firstKnownTrade(minutes: readonly TradeCandle[]): number | undefined {
  return minutes.find(({ firstTradeNumber }) => firstTradeNumber > 0)?.firstTradeNumber;
}
