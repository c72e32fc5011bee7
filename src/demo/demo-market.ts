import { type Amount, amountFromDecimal, toAmount } from '../domain/amount.ts';
import { assert } from '../domain/assert.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Address } from '../domain/identifiers.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type SpotMarket,
  type Ticks,
} from '../domain/spot-market.ts';
import { DemoTrader } from './demo-trader.ts';
import type { DemoPorts } from './start-demo.ts';

const levelsPerSide = 8;
// Half the spread and the distance of the levels, in parts of a hundred thousand of the price.
const halfSpread = 10;
const levelDistance = 12;
const wanderMost = 40;
const parts = 100_000;
/** About what one quote or one taking order is worth, in units of the quote token. */
const orderValue = 500;
const holdings = 100_000;
const takeShare = 0.6;
// What the price may become, as a multiple of where it began, so that it never leaves the sane.
const driftMost = 3;

/** Demo trading in one market: a quoting trader around a wandering price, and two who take. */
export class DemoMarket {
  readonly #market: SpotMarket;
  readonly #random: () => number;
  readonly #startPrice: number;
  readonly #maker: DemoTrader;
  readonly #takers: readonly DemoTrader[];
  #price: number;

  constructor(ports: DemoPorts, market: SpotMarket, startPrice: number) {
    this.#market = market;
    this.#random = ports.random;
    this.#startPrice = startPrice;
    this.#price = startPrice;
    const trader = (role: number): DemoTrader =>
      new DemoTrader(ports, demoAddress(market, role), market);
    this.#maker = trader(1);
    this.#takers = [trader(2), trader(3)];
  }

  /** Moves the price, renews the quotes and, most of the time, takes some of them. */
  async step(): Promise<void> {
    this.#wander();
    const { quote, base } = this.#stock();
    await this.#maker.topUp(quote, base);
    await this.#renewQuotes();
    for (const taker of this.#takers) {
      if (this.#random() > takeShare) continue;
      await taker.topUp(quote, base);
      await this.#take(taker);
    }
  }

  /** Leaves no order behind. */
  async close(): Promise<void> {
    await this.#maker.cancelAll();
  }

  // Prices are whole ticks here; the engine sees nothing of the arithmetic that chose them.
  #wander(): void {
    const change = Math.round(((this.#random() * 2 - 1) * wanderMost * this.#price) / parts);
    const lowest = Math.ceil(this.#startPrice / driftMost);
    const highest = this.#startPrice * driftMost;
    this.#price = Math.min(Math.max(this.#price + change, lowest), highest);
  }

  // All at once, so that the book is never seen without quotes for longer than one write.
  async #renewQuotes(): Promise<void> {
    const work = [this.#maker.cancelAll()];
    for (let level = 0; level < levelsPerSide; level += 1) {
      const share = halfSpread + level * levelDistance;
      const away = Math.max(1 + level, Math.round((this.#price * share) / parts));
      work.push(this.#quote('buy', this.#price - away), this.#quote('sell', this.#price + away));
    }
    await Promise.all(work);
  }

  async #quote(side: 'buy' | 'sell', price: number): Promise<void> {
    if (price <= 0) return;
    await this.#maker.place({
      side,
      type: 'limit',
      timeInForce: 'post_only',
      price: decimalFromTicks(this.#market, price as Ticks),
      quantity: this.#quantityFor(orderValue * (0.5 + this.#random() * 2)),
    });
  }

  async #take(taker: DemoTrader): Promise<void> {
    const value = orderValue * (0.1 + this.#random());
    if (this.#random() < 0.5) {
      await taker.place({ side: 'buy', type: 'market', quoteQuantity: unitsOf(Math.ceil(value)) });
    } else {
      await taker.place({ side: 'sell', type: 'market', quantity: this.#quantityFor(value) });
    }
  }

  /** Whole lots worth about this many units of the quote token. */
  #quantityFor(value: number): Decimal {
    const lotPrice = BigInt(this.#price) * this.#market.tickLotAmount;
    const lots = unitsOf(Math.ceil(value)) / lotPrice;
    return decimalFromLots(this.#market, Number(lots > 0n ? lots : 1n) as Lots);
  }

  #stock(): { readonly quote: Amount; readonly base: Amount } {
    const base = amountFromDecimal(this.#quantityFor(holdings));
    assert(base !== null, 'a quantity in lots is an amount');
    return { quote: unitsOf(holdings), base };
  }
}

function unitsOf(count: number): Amount {
  return toAmount(BigInt(count) * 10n ** 8n);
}

// Addresses that nobody holds the key of: `demo` in hex, the market and the role.
function demoAddress(market: SpotMarket, role: number): Address {
  const hex = (value: number): string => value.toString(16).padStart(4, '0');
  return `0x64656d6f${`${hex(market.marketId)}${hex(role)}`.padStart(32, '0')}` as Address;
}

/** The price in ticks, at least one. */
export function ticksNear(market: SpotMarket, price: Decimal): number {
  const units = price - (price % market.tickSize);
  return Math.max(1, Number(units / market.tickSize));
}
