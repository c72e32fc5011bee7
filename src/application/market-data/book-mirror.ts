import { assert } from '../../domain/assert.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { BookDepth, BookLevel, BookLevelChanged } from '../ports/exchange.ts';

/** A whole book rebuilt from its level changes, for readers that only see durable events. */
export class BookMirror {
  readonly #bids = new MirrorSide(1);
  readonly #asks = new MirrorSide(-1);
  #lastUpdateId: number;

  constructor(depth: BookDepth) {
    this.#lastUpdateId = depth.lastUpdateId;
    for (const { price, quantity } of depth.bids) this.#bids.set(price, quantity);
    for (const { price, quantity } of depth.asks) this.#asks.set(price, quantity);
  }

  get lastUpdateId(): number {
    return this.#lastUpdateId;
  }

  /** Changes must be in order and without gaps. */
  apply(change: Pick<BookLevelChanged, 'side' | 'price' | 'quantity' | 'updateId'>): void {
    assert(
      change.updateId === this.#lastUpdateId + 1,
      `book change ${change.updateId} follows ${this.#lastUpdateId}`,
    );
    this.#lastUpdateId = change.updateId;
    this.#side(change.side).set(change.price, change.quantity);
  }

  /** The best levels of a side, best first. */
  getTop(side: Side, levelsMax: number): readonly BookLevel[] {
    return this.#side(side).getTop(levelsMax);
  }

  /**
   * The best levels of a side at whole multiples of `step`: bids are counted at the multiple below
   * their price, asks at the one above.
   */
  getGroups(side: Side, step: number, levelsMax: number): readonly BookLevel[] {
    const groupOf = (price: Ticks): Ticks => {
      const above = price % step;
      return (side === 'buy' || above === 0 ? price - above : price - above + step) as Ticks;
    };
    return this.#side(side).getGroups(groupOf, levelsMax);
  }

  #side(side: Side): MirrorSide {
    return side === 'buy' ? this.#bids : this.#asks;
  }
}

// Prices are sorted with the best last: most changes happen near the best price, so few entries
// move when a level is added or removed.
class MirrorSide {
  readonly #prices: Ticks[] = [];
  readonly #quantities: Lots[] = [];
  readonly #direction: 1 | -1;

  /** 1 if the highest price is best, -1 if the lowest is. */
  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  set(price: Ticks, quantity: Lots): void {
    const index = this.#firstNotWorse(price);
    const isPresent = this.#prices[index] === price;
    if (quantity === 0) {
      assert(isPresent, `level ${price} is removed from a book that does not have it`);
      this.#prices.splice(index, 1);
      this.#quantities.splice(index, 1);
    } else if (isPresent) {
      this.#quantities[index] = quantity;
    } else {
      this.#prices.splice(index, 0, price);
      this.#quantities.splice(index, 0, quantity);
    }
  }

  getTop(levelsMax: number): readonly BookLevel[] {
    const levels: BookLevel[] = [];
    const last = this.#prices.length - 1;
    for (let index = last; index >= 0 && levels.length < levelsMax; index -= 1) {
      const price = this.#prices[index];
      const quantity = this.#quantities[index];
      assert(price !== undefined && quantity !== undefined, 'both columns have every level');
      levels.push({ price, quantity });
    }
    return levels;
  }

  getGroups(groupOf: (price: Ticks) => Ticks, levelsMax: number): readonly BookLevel[] {
    const levels: { price: Ticks; quantity: Lots }[] = [];
    for (let index = this.#prices.length - 1; index >= 0; index -= 1) {
      const price = groupOf(this.#prices[index] ?? (0 as Ticks));
      const quantity = this.#quantities[index] ?? 0;
      const last = levels.at(-1);
      if (last?.price === price) last.quantity = (last.quantity + quantity) as Lots;
      else if (levels.length === levelsMax) break;
      else levels.push({ price, quantity: quantity as Lots });
    }
    return levels;
  }

  #firstNotWorse(price: Ticks): number {
    const wanted = price * this.#direction;
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#prices[middle] ?? 0) * this.#direction < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
