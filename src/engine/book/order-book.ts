import { OrderIndex } from '../storage/order-index.ts';
import { PriceLevels } from './price-levels.ts';

// The book of one market: resting orders by price, then by time. It knows nothing of money or
// products; whoever owns the accounts sends it orders and hears what became of them.

export const buySide = 0;
export const sellSide = 1;
export type BookSide = typeof buySide | typeof sellSide;

/** What becomes of the part of an order that does not trade at once. */
export type BookPolicy = 'rest' | 'drop' | 'all_or_nothing' | 'rest_only';

/** What `add` answers instead of the lots left; the book is then unchanged. */
export const refusedAsTaker = -1;
export const refusedAsSelfTrade = -2;

/** An arriving order: numbers and account are the sender's, prices in ticks, sizes in lots. */
export interface BookOrder {
  orderNumber: number;
  account: number;
  side: BookSide;
  price: number;
  quantity: number;
  policy: BookPolicy;
}

/** Hears the book's news while `add` and `cancel` run. */
export interface BookListener {
  /** The arriving order took lots of a resting one, which now rests with `makerLeft`. */
  onTrade(makerNumber: number, price: number, quantity: number, makerLeft: number): void;
  /** What now rests at a price; once a level in each call of `add` or `cancel`. */
  onLevelChanged(side: BookSide, price: number, quantity: number): void;
}

/** The limits of an order that takes any price. */
export const priceMin = 1;
export const priceMax = Number.MAX_SAFE_INTEGER;

/** Best prices of an empty side, which nothing crosses. */
export const noBid = 0;
export const noAsk = Number.POSITIVE_INFINITY;

const windowSpanDefault = 32_768;
const recordInts = 8;
const recordFloats = 4;
// A record of 32 bytes: next, previous, level, account; then lots and order number.
const previousAt = 1;
const levelAt = 2;
const accountAt = 3;
const quantityAt = 2;
const numberAt = 3;

export class OrderBook {
  private readonly listener: BookListener;
  private readonly levels: PriceLevels;
  private readonly index = new OrderIndex();
  private ints: Int32Array;
  private floats: Float64Array;
  private top = 0;
  private freeSlot = -1;
  /** Best price and level by side; the level is -1 where a side is empty. */
  private readonly bestPrices = Float64Array.of(noBid, noAsk);
  private readonly bestLevels = Int32Array.of(-1, -1);
  private readonly totals = new Float64Array(2);
  orderCount = 0;

  constructor(listener: BookListener, windowSpan = windowSpanDefault) {
    this.listener = listener;
    this.levels = new PriceLevels(windowSpan);
    this.floats = new Float64Array(recordFloats * 256);
    this.ints = new Int32Array(this.floats.buffer);
  }

  /** The highest resting buy price, or `noBid`. */
  get bestBid(): number {
    return this.bestPrices[buySide] as number;
  }

  /** The lowest resting sell price, or `noAsk`. */
  get bestAsk(): number {
    return this.bestPrices[sellSide] as number;
  }

  /** All lots that rest on a side. */
  totalOf(side: BookSide): number {
    return this.totals[side] as number;
  }

  /** Trades what crosses and lets the rest do as the policy says; the lots that did not trade. */
  add(order: BookOrder): number {
    const { side, price, quantity, policy } = order;
    let left = quantity;
    if (this.isCrossing(side, price)) {
      if (policy === 'rest_only') return refusedAsTaker;
      const reachable = this.survey(order);
      if (reachable < 0) return refusedAsSelfTrade;
      if (policy === 'all_or_nothing' && reachable < quantity) return quantity;
      left = this.take(side, price, quantity);
    }
    if (left > 0 && (policy === 'rest' || policy === 'rest_only')) {
      this.listener.onLevelChanged(side, price, this.append(order, left));
    }
    return left;
  }

  /** Puts back what was left of a saved order, silently; it must cross nothing. */
  restore(order: BookOrder, left: number): void {
    this.append(order, left);
  }

  /** Takes a resting order away; its lots, or 0 where none rests under the number. */
  cancel(orderNumber: number): number {
    const slot = this.index.take(orderNumber);
    if (slot < 0) return 0;
    const int = slot * recordInts;
    const next = this.ints[int] as number;
    const previous = this.ints[int + previousAt] as number;
    const level = this.ints[int + levelAt] as number;
    const quantity = this.floats[slot * recordFloats + quantityAt] as number;
    if (previous >= 0) this.ints[previous * recordInts] = next;
    else this.levels.setHead(level, next);
    if (next >= 0) this.ints[next * recordInts + previousAt] = previous;
    else this.levels.setTail(level, previous);
    this.release(slot);
    const price = this.levels.price(level);
    const side = this.sideOf(price);
    (this.totals[side] as number) -= quantity;
    const total = this.levels.total(level) - quantity;
    this.levels.setTotal(level, total);
    if (total === 0) this.removeLevel(side, level);
    this.listener.onLevelChanged(side, price, total);
    return quantity;
  }

  /** The order of a side that would trade first, or 0. */
  firstOf(side: BookSide): number {
    const level = this.bestLevels[side] as number;
    if (level < 0) return 0;
    return this.floats[this.levels.head(level) * recordFloats + numberAt] as number;
  }

  /** Takes some of a resting order's lots away, not all of them; it keeps its place. */
  reduce(orderNumber: number, lots: number): void {
    const slot = this.index.find(orderNumber);
    const level = this.ints[slot * recordInts + levelAt] as number;
    (this.floats[slot * recordFloats + quantityAt] as number) -= lots;
    const price = this.levels.price(level);
    const side = this.sideOf(price);
    (this.totals[side] as number) -= lots;
    const total = this.levels.total(level) - lots;
    this.levels.setTotal(level, total);
    this.listener.onLevelChanged(side, price, total);
  }

  /** Visits the levels of a side, best first, while the visitor answers true. */
  visitLevels(side: BookSide, visit: (price: number, quantity: number) => boolean): void {
    let level = this.bestLevels[side] as number;
    while (level >= 0) {
      const price = this.levels.price(level);
      if (!visit(price, this.levels.total(level))) return;
      level = side === buySide ? this.levels.lower(price) : this.levels.higher(price);
    }
  }

  /** Visits the orders of a side as they would trade, until the visitor answers false. */
  visitOrders(
    side: BookSide,
    visit: (orderNumber: number, price: number, quantity: number) => unknown,
  ): void {
    let level = this.bestLevels[side] as number;
    while (level >= 0) {
      const price = this.levels.price(level);
      for (
        let slot = this.levels.head(level);
        slot >= 0;
        slot = this.ints[slot * recordInts] ?? -1
      ) {
        const float = slot * recordFloats;
        const orderNumber = this.floats[float + numberAt] as number;
        if (visit(orderNumber, price, this.floats[float + quantityAt] as number) === false) return;
      }
      level = side === buySide ? this.levels.lower(price) : this.levels.higher(price);
    }
  }

  private isCrossing(side: BookSide, price: number): boolean {
    return side === buySide
      ? price >= (this.bestPrices[sellSide] as number)
      : price <= (this.bestPrices[buySide] as number);
  }

  /** The lots the order would trade, or -1 where it would meet its own account on the way. */
  private survey({ side, price, quantity, account }: BookOrder): number {
    const { levels, ints, floats } = this;
    let left = quantity;
    let level = this.bestLevels[1 - side] as number;
    while (level >= 0) {
      const levelPrice = levels.price(level);
      if (side === buySide ? levelPrice > price : levelPrice < price) break;
      let slot = levels.head(level);
      while (slot >= 0) {
        if (ints[slot * recordInts + accountAt] === account) return -1;
        left -= floats[slot * recordFloats + quantityAt] as number;
        if (left <= 0) return quantity;
        slot = ints[slot * recordInts] as number;
      }
      level = side === buySide ? levels.higher(levelPrice) : levels.lower(levelPrice);
    }
    return quantity - left;
  }

  private take(side: BookSide, price: number, quantity: number): number {
    const makerSide: BookSide = side === buySide ? sellSide : buySide;
    let left = quantity;
    while (left > 0 && this.isCrossing(side, price)) {
      left = this.takeLevel(makerSide, left);
    }
    (this.totals[makerSide] as number) -= quantity - left;
    return left;
  }

  /** Trades against the best level of the side; the lots left of the arriving order. */
  private takeLevel(makerSide: BookSide, quantity: number): number {
    const { levels, ints, floats, listener } = this;
    const level = this.bestLevels[makerSide] as number;
    const price = levels.price(level);
    let left = quantity;
    let slot = levels.head(level);
    while (slot >= 0 && left > 0) {
      const float = slot * recordFloats;
      const resting = floats[float + quantityAt] as number;
      const maker = floats[float + numberAt] as number;
      if (resting > left) {
        floats[float + quantityAt] = resting - left;
        listener.onTrade(maker, price, left, resting - left);
        left = 0;
        break;
      }
      const next = ints[slot * recordInts] as number;
      this.index.take(maker);
      this.release(slot);
      left -= resting;
      listener.onTrade(maker, price, resting, 0);
      slot = next;
    }
    const total = levels.total(level) - (quantity - left);
    levels.setTotal(level, total);
    levels.setHead(level, slot);
    if (slot >= 0) ints[slot * recordInts + previousAt] = -1;
    else this.removeLevel(makerSide, level);
    listener.onLevelChanged(makerSide, price, total);
    return left;
  }

  /** Puts the order, or what is left of it, behind those of its price; the level's new total. */
  private append({ orderNumber, account, side, price }: BookOrder, quantity: number): number {
    let level = this.levels.find(price);
    if (level < 0) level = this.addLevel(side, price);
    const slot = this.takeSlot();
    const int = slot * recordInts;
    const tail = this.levels.tail(level);
    this.ints[int] = -1;
    this.ints[int + previousAt] = tail;
    this.ints[int + levelAt] = level;
    this.ints[int + accountAt] = account;
    this.floats[slot * recordFloats + quantityAt] = quantity;
    this.floats[slot * recordFloats + numberAt] = orderNumber;
    if (tail >= 0) this.ints[tail * recordInts] = slot;
    else this.levels.setHead(level, slot);
    this.levels.setTail(level, slot);
    const total = this.levels.total(level) + quantity;
    this.levels.setTotal(level, total);
    (this.totals[side] as number) += quantity;
    this.index.set(orderNumber, slot);
    this.orderCount += 1;
    return total;
  }

  private addLevel(side: BookSide, price: number): number {
    const level = this.levels.add(price);
    const best = this.bestPrices[side] as number;
    if (side === buySide ? price > best : price < best) {
      this.bestPrices[side] = price;
      this.bestLevels[side] = level;
    }
    if (this.levels.isStraying) this.levels.moveWindow(this.busyPrice(price));
    return level;
  }

  private removeLevel(side: BookSide, level: number): void {
    const price = this.levels.price(level);
    this.levels.remove(level);
    if (level !== this.bestLevels[side]) return;
    const next = side === buySide ? this.levels.lower(price) : this.levels.higher(price);
    this.bestLevels[side] = next;
    if (next >= 0) this.bestPrices[side] = this.levels.price(next);
    else this.bestPrices[side] = side === buySide ? noBid : noAsk;
  }

  /** Where the window belongs: between the best prices where one window can hold both. */
  private busyPrice(latest: number): number {
    const middle = Math.floor((this.bestBid + this.bestAsk) / 2);
    return this.bestAsk - this.bestBid < this.levels.windowSpan / 2 ? middle : latest;
  }

  /** Bids stand under the asks, so a level's price tells its side. */
  private sideOf(price: number): BookSide {
    return price <= (this.bestPrices[buySide] as number) ? buySide : sellSide;
  }

  private release(slot: number): void {
    this.ints[slot * recordInts] = this.freeSlot;
    this.freeSlot = slot;
    this.orderCount -= 1;
  }

  private takeSlot(): number {
    const slot = this.freeSlot;
    if (slot >= 0) {
      this.freeSlot = this.ints[slot * recordInts] as number;
      return slot;
    }
    if ((this.top + 1) * recordFloats > this.floats.length) {
      const floats = new Float64Array(this.floats.length * 2);
      floats.set(this.floats);
      this.floats = floats;
      this.ints = new Int32Array(floats.buffer);
    }
    this.top += 1;
    return this.top - 1;
  }
}
