import { type Amount, toAmount, zeroAmount } from '../../../domain/amount.ts';
import { klineOpenTime } from '../../../domain/kline-interval.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import type { StreamTrade } from '../channels/baseline.ts';
import { growTradeCandle, openTradeCandle, type TradeCandle } from './trade-candle.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Statistics of a market over the last 24 hours, or the last part of them. */
export interface DayStatistics {
  readonly open: Ticks;
  /** The last price before the 24 hours; if there is none, the first one in them. */
  readonly previousClose: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly newest: TradeCandle;
  readonly volume: bigint;
  readonly quoteVolume: Amount;
  readonly tradeCount: number;
  readonly firstTradeId: number;
  readonly openTime: number;
  readonly closeTime: number;
}

/** The last 24 hours in one-minute candles: it opens with a whole minute and ends now. */
export class DayWindow {
  #minutes: TradeCandle[];
  /** The newest candle ever, kept after its day is over. */
  #newest: TradeCandle | null;
  #previousClose: Ticks | null;

  /** `previousClose` is the last price before the minutes; null if there is none. */
  constructor(minutes: readonly TradeCandle[], previousClose: Ticks | null) {
    this.#minutes = [...minutes];
    this.#newest = this.#minutes.at(-1) ?? null;
    this.#previousClose = previousClose;
  }

  /** Adds a trade; it must not be older than any before it. */
  add(trade: StreamTrade, time: number): void {
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

  /**
   * The last `windowMs` of the 24 hours. Null before the market's first trade; a window without
   * trades is flat at the last price.
   */
  read(now: number, windowMs = dayMs): DayStatistics | null {
    this.#dropBefore(now);
    const newest = this.#newest;
    if (newest === null) return null;
    const begin = firstWholeMinute(now - windowMs);
    const from =
      windowMs === dayMs ? 0 : this.#minutes.findIndex(({ openTime }) => openTime >= begin);
    const minutes = from < 0 ? [] : this.#minutes.slice(from);
    const first = minutes[0];
    let high = first?.high ?? newest.close;
    let low = first?.low ?? newest.close;
    let volume = 0n;
    let quoteVolume: bigint = zeroAmount;
    let tradeCount = 0;
    for (const minute of minutes) {
      if (minute.high > high) high = minute.high;
      if (minute.low < low) low = minute.low;
      volume += minute.volume;
      quoteVolume += minute.quoteVolume;
      tradeCount += minute.tradeCount;
    }
    const open = first?.open ?? newest.close;
    return {
      open,
      previousClose: this.#previousClose ?? open,
      high,
      low,
      newest,
      volume,
      quoteVolume: toAmount(quoteVolume),
      tradeCount,
      firstTradeId: firstKnownTrade(minutes) ?? newest.lastTradeId,
      openTime: now - windowMs,
      closeTime: now,
    };
  }

  #dropBefore(now: number): void {
    const begin = firstWholeMinute(now - dayMs);
    const kept = this.#minutes.findIndex(({ openTime }) => openTime >= begin);
    const dropped = this.#minutes.at(kept < 0 ? -1 : kept - 1);
    if (kept === 0 || dropped === undefined) return;
    this.#previousClose = dropped.close;
    this.#minutes = kept < 0 ? [] : this.#minutes.slice(kept);
  }
}

function firstWholeMinute(from: number): number {
  return klineOpenTime('1m', from + minuteMs - 1);
}

/** Not all candles of history have the id of their first trade. */
function firstKnownTrade(minutes: readonly TradeCandle[]): number | undefined {
  return minutes.find(({ firstTradeId }) => firstTradeId > 0)?.firstTradeId;
}
