import { formatAmount, toAmount, zeroAmount } from '../../domain/amount.ts';
import { decimalScale, formatDecimal, formatScaled } from '../../domain/decimal.ts';
import { klineOpenTime } from '../../domain/kline-interval.ts';
import { decimalFromTicks, type Ticks } from '../../domain/spot-market.ts';
import {
  type Candle,
  type CandleMarket,
  type CandleTrade,
  growCandle,
  openCandle,
} from './candle.ts';
import type { SpotTickerStatistics } from './market-views.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const percentScale = 3;

/** 24-hour statistics with times in milliseconds since 1970. */
export interface TickerWindowView extends Omit<SpotTickerStatistics, 'open_time' | 'close_time'> {
  readonly open_time: number;
  readonly close_time: number;
}

/**
 * A market's last 24 hours in candles of a minute. The window starts at a whole minute and ends
 * now. A day without a trade is flat at the last price.
 */
export class TickerWindow {
  readonly #market: CandleMarket;
  #minutes: Candle[];
  #lastPrice: Ticks | null;
  #volume = zeroAmount;
  #quoteVolume = zeroAmount;
  #tradeCount = 0;
  /** The highest and the lowest price of the minutes; null while they are to be looked for. */
  #range: { high: Ticks; low: Ticks } | null = null;

  /** Minutes are oldest first; without a last price there was never a trade. */
  constructor(market: CandleMarket, minutes: readonly Candle[], lastPrice: Ticks | null) {
    this.#market = market;
    this.#minutes = [...minutes];
    this.#lastPrice = lastPrice;
    for (const minute of minutes) this.#count(minute, 1n);
  }

  /** Adds a trade that is not older than any added before. */
  add(trade: CandleTrade, time: number): void {
    const { price } = trade;
    this.#lastPrice = price;
    const range = this.#range;
    if (range !== null && price > range.high) range.high = price;
    if (range !== null && price < range.low) range.low = price;
    const newest = this.#minutes.at(-1);
    if (newest !== undefined && newest.openTime === klineOpenTime('1m', time)) {
      this.#count(newest, -1n);
      growCandle(this.#market, newest, trade);
      this.#count(newest, 1n);
      return;
    }
    const minute = openCandle(this.#market, '1m', trade, time);
    this.#minutes.push(minute);
    this.#count(minute, 1n);
    this.#dropBefore(time);
  }

  /** Null before the market's first trade. */
  read(now: number): TickerWindowView | null {
    this.#dropBefore(now);
    const last = this.#lastPrice;
    if (last === null) return null;
    const open = this.#minutes[0]?.open ?? last;
    const { high, low } =
      this.#minutes.length === 0 ? { high: last, low: last } : this.#readRange();
    const price = (ticks: Ticks): string => formatDecimal(decimalFromTicks(this.#market, ticks));
    return {
      last_price: price(last),
      open_price: price(open),
      high_price: price(high),
      low_price: price(low),
      price_change: formatScaled(
        decimalFromTicks(this.#market, last) - decimalFromTicks(this.#market, open),
        decimalScale,
      ),
      price_change_percent: formatPercent(open, last),
      volume: formatAmount(this.#volume),
      quote_volume: formatAmount(this.#quoteVolume),
      trade_count: this.#tradeCount,
      open_time: now - dayMs,
      close_time: now,
    };
  }

  #readRange(): { readonly high: Ticks; readonly low: Ticks } {
    this.#range ??= {
      high: Math.max(...this.#minutes.map(({ high }) => high)) as Ticks,
      low: Math.min(...this.#minutes.map(({ low }) => low)) as Ticks,
    };
    return this.#range;
  }

  #dropBefore(now: number): void {
    const firstWholeMinute = klineOpenTime('1m', now - dayMs + minuteMs - 1);
    let expired = 0;
    for (const minute of this.#minutes) {
      if (minute.openTime >= firstWholeMinute) break;
      this.#count(minute, -1n);
      expired += 1;
    }
    if (expired === 0) return;
    this.#minutes = this.#minutes.slice(expired);
    this.#range = null;
  }

  #count(minute: Candle, sign: 1n | -1n): void {
    this.#volume = toAmount(this.#volume + sign * minute.volume);
    this.#quoteVolume = toAmount(this.#quoteVolume + sign * minute.quoteVolume);
    this.#tradeCount += Number(sign) * minute.tradeCount;
  }
}

/** The change in percent, rounded to three decimals, half away from zero. */
export function formatPercent(open: Ticks, last: Ticks): string {
  const change = (BigInt(last) - BigInt(open)) * 100n * 10n ** BigInt(percentScale);
  const divisor = BigInt(open);
  const magnitude = change < 0n ? -change : change;
  const rounded = (2n * magnitude + divisor) / (2n * divisor);
  return formatScaled(change < 0n ? -rounded : rounded, percentScale);
}
