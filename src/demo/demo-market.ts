import type { Amount } from '../domain/amount.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import type { DemoTrader } from './demo-trader.ts';

const levelsPerSide = 8;
// Half the spread and the distance between levels, in 1/100,000 of the price.
const halfSpread = 10;
const levelDistance = 12;
const driftMax = 40;
const parts = 100_000;
/** Approximate value of one quote or one taking order, in units of the quote token. */
const orderValue = 500;
const holdings = 100_000;
const takeShare = 0.6;
// Maximum price move, as a multiple of the start price, so that prices remain plausible.
const driftMost = 3;
const unit = 10n ** 8n;

export interface DemoMarketParts {
  /**
   * Two makers that renew their quotes in turn, so that the book always has those of one of them.
   */
  readonly makers: readonly DemoTrader[];
  readonly takers: readonly DemoTrader[];
  /** The price of one lot at one tick. */
  readonly tickLotAmount: Amount;
  /** In ticks. */
  readonly startPrice: number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Demo trading in one market: makers that quote around a random-walk price, and takers. */
export class DemoMarket {
  readonly #parts: DemoMarketParts;
  #price: number;
  #makerIndex = 0;

  constructor(parts: DemoMarketParts) {
    this.#parts = parts;
    this.#price = parts.startPrice;
  }

  /** Places the first quotes of all makers. */
  async open(): Promise<void> {
    for (const maker of this.#parts.makers) await this.#renewQuotes(maker);
  }

  /** Moves the price, renews a maker's quotes and, most of the time, takes some of them. */
  async step(): Promise<void> {
    const { makers, takers, random } = this.#parts;
    this.#drift();
    const maker = makers[this.#makerIndex++ % makers.length];
    if (maker !== undefined) await this.#renewQuotes(maker);
    for (const taker of takers) {
      if (random() > takeShare) continue;
      await taker.topUp(holdings, this.#price as Ticks);
      const side = random() < 0.5 ? 'buy' : 'sell';
      const value = orderValue * (0.1 + random());
      await taker.take(side, this.#price as Ticks, this.#lotsFor(value));
    }
  }

  /** Cancels all orders. */
  async close(): Promise<void> {
    for (const maker of this.#parts.makers) await maker.cancelAll();
  }

  // Prices are whole ticks here; the arithmetic that chooses them never reaches the engine.
  #drift(): void {
    const { startPrice, random } = this.#parts;
    const change = Math.round(((random() * 2 - 1) * driftMax * this.#price) / parts);
    const lowest = Math.ceil(startPrice / driftMost);
    this.#price = Math.min(Math.max(this.#price + change, lowest), startPrice * driftMost);
  }

  async #renewQuotes(maker: DemoTrader): Promise<void> {
    await maker.topUp(holdings, this.#price as Ticks);
    await maker.cancelAll();
    const work: Promise<void>[] = [];
    for (let level = 0; level < levelsPerSide; level += 1) {
      const share = halfSpread + level * levelDistance;
      const away = Math.max(1 + level, Math.round((this.#price * share) / parts));
      const prices = { buy: this.#price - away, sell: this.#price + away };
      work.push(this.#quote(maker, 'buy', prices.buy), this.#quote(maker, 'sell', prices.sell));
    }
    await Promise.all(work);
  }

  async #quote(maker: DemoTrader, side: Side, price: number): Promise<void> {
    if (price <= 0) return;
    const value = orderValue * (0.5 + this.#parts.random() * 2);
    await maker.quote(side, price as Ticks, this.#lotsFor(value));
  }

  /** Whole lots worth about this many units of the quote token, at least one. */
  #lotsFor(value: number): Lots {
    const lotPrice = BigInt(this.#price) * this.#parts.tickLotAmount;
    const lots = (BigInt(Math.ceil(value)) * unit) / lotPrice;
    return Math.max(1, Number(lots)) as Lots;
  }
}
