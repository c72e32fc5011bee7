import type { SpotMarket, Ticks } from '../../domain/spot-market.ts';
import { rewardToken } from './fee-value.ts';

// Commission is paid in USDT even if the fee was not, and two accounts of one owner can trade
// with each other at any price once they have emptied a thin book. So a fee in another token
// counts at the trade's price, but at most at twice what the token usually costs: the median over
// the last hours in which the market traded, each by the price that gives the token least value.
// One such trade moves one hour, whatever its size, in either direction. A market that has traded
// in few hours has no usual price: a single trade would decide what all other fees are worth.

/** The lowest and the highest price, in ticks, of a market's trades in an hour that has trades. */
export interface HourPrices {
  /** Hours since 1970. */
  readonly hour: number;
  low: number;
  high: number;
}

export const recentHoursMax = 24;
/** The number of hours with trades that a market needs before it has a usual price. */
export const usualHoursMin = 6;
const hourMs = 3_600_000;
/** How far the price at which a fee counts is from the usual one at most. */
const usualMultipleMax = 2;

/** The prices of the last 24 hours in which a market traded. */
export class RecentPrices {
  readonly #hours: HourPrices[];
  #usualLow = Number.POSITIVE_INFINITY;
  #usualHigh = 0;

  /** The hours are in order of time. */
  constructor(hours: readonly HourPrices[] = []) {
    this.#hours = [...hours];
    this.#updateUsual();
  }

  /** Adds a trade, which is not earlier than those before. */
  add(timestampMs: number, price: Ticks): void {
    const hour = Math.floor(timestampMs / hourMs);
    const last = this.#hours.at(-1);
    if (last?.hour !== hour) {
      this.#hours.push({ hour, low: price, high: price });
      if (this.#hours.length > recentHoursMax) this.#hours.shift();
    } else if (price < last.low || price > last.high) {
      last.low = Math.min(last.low, price);
      last.high = Math.max(last.high, price);
    } else return;
    this.#updateUsual();
  }

  /** The price at which a trade's fee counts in USDT; the trade itself has been added. */
  countedPrice({ quoteToken }: Pick<SpotMarket, 'quoteToken'>, price: Ticks): Ticks {
    const counted =
      quoteToken === rewardToken
        ? Math.min(price, this.#usualLow * usualMultipleMax)
        : Math.max(price, Math.ceil(this.#usualHigh / usualMultipleMax));
    return counted as Ticks;
  }

  #updateUsual(): void {
    if (this.#hours.length < usualHoursMin) return;
    this.#usualLow = lowerMedianOf(this.#hours.map(({ low }) => low));
    this.#usualHigh = -lowerMedianOf(this.#hours.map(({ high }) => -high));
  }
}

/** The middle value, of two the lower one. */
function lowerMedianOf(values: number[]): number {
  values.sort((left, right) => left - right);
  return values[Math.floor((values.length - 1) / 2)] ?? 0;
}
