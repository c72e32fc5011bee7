import {
  accountAt,
  leftAt,
  levelAt,
  nextAt,
  type OrderRecords,
  previousAt,
} from '../storage/order-records.ts';
import { PriceLevels } from './price-levels.ts';

// The order book of one market: resting orders by price, then by time. It has no notion of money or
// products. The owner of the accounts sends it orders and is called back with the results. Book and
// owner identify an order by the slot of its record, which the owner takes and releases.

/** The sides of a book, as indexes. */
export const buySide = 0;
export const sellSide = 1;
/** A side of a book: 0 for bids, 1 for asks. */
export type BookSide = typeof buySide | typeof sellSide;

/** What happens to the part of an order that does not trade immediately. */
export type BookPolicy = 'rest' | 'drop' | 'all_or_nothing' | 'rest_only';

/** How many resting orders an arriving order meets. */
export interface Reach {
  /** The maximum that it trades with; what is left of it then does not rest either. */
  readonly met: number;
  /**
   * The first of them, which alone decide what has to be decided before it trades: whether it fills
   * in full or not at all, whether it is refused for an order of its own account, and whether it
   * counts as one that rests.
   */
  readonly seen: number;
}

const everyOrder: Reach = { met: Number.POSITIVE_INFINITY, seen: Number.POSITIVE_INFINITY };

/** What `add` returns instead of the lots left; the book is then unchanged. */
export const refusedAsTaker = -1;
export const refusedAsSelfTrade = -2;

/** An arriving order. The account is its sender; prices are in ticks and quantities in lots. */
export interface BookOrder {
  account: number;
  side: BookSide;
  price: number;
  quantity: number;
  policy: BookPolicy;
}

/** Callback for the trades that `add` makes. */
export interface TradeListener {
  /**
   * The arriving order traded against a resting one, which has `makerLeft` lots left; at 0 it has
   * left the book.
   */
  onTrade(maker: number, price: number, quantity: number, makerLeft: number): void;
}

/**
 * Callback with the lots that rest at a price, once per level in each call that changes the book.
 */
export interface LevelListener {
  /** `quantity` is what rests there now, in lots; 0 if the level is gone. The price is in ticks. */
  onLevelChanged(side: BookSide, price: number, quantity: number): void;
}

/** The price limits of an order that accepts any price. */
export const priceMin = 1;
export const priceMax = Number.MAX_SAFE_INTEGER;

/** The best prices of an empty side, which no order crosses. */
export const noBid = 0;
export const noAsk = Number.POSITIVE_INFINITY;

const windowSpanDefault = 32_768;

/** The resting orders of one market by price, then by time. */
export class OrderBook {
  private readonly trades: TradeListener;
  private readonly changes: LevelListener;
  private readonly records: OrderRecords;
  private readonly recordInts: number;
  private readonly recordFloats: number;
  private readonly levels: PriceLevels;
  /** Best price and level by side; the level is -1 for an empty side. */
  private readonly bestPrices = Float64Array.of(noBid, noAsk);
  private readonly bestLevels = Int32Array.of(-1, -1);
  private readonly totals = new Float64Array(2);
  orderCount = 0;

  constructor(
    trades: TradeListener,
    changes: LevelListener,
    records: OrderRecords,
    windowSpan = windowSpanDefault,
  ) {
    this.trades = trades;
    this.changes = changes;
    this.records = records;
    this.recordInts = records.recordInts;
    this.recordFloats = records.recordFloats;
    this.levels = new PriceLevels(windowSpan);
  }

  /** The highest resting buy price, or `noBid`. */
  get bestBid(): number {
    return this.bestPrices[buySide] as number;
  }

  /** The lowest resting sell price, or `noAsk`. */
  get bestAsk(): number {
    return this.bestPrices[sellSide] as number;
  }

  /** All lots resting on a side. */
  totalOf(side: BookSide): number {
    return this.totals[side] as number;
  }

  /**
   * Matches the order. Its policy decides about the remainder, which rests in the record at the
   * slot unless its reach has ended before the orders that it crosses.
   *
   * @returns the lots that did not trade, `refusedAsTaker` or `refusedAsSelfTrade`.
   */
  add(order: BookOrder, slot: number, reach = everyOrder): number {
    const { side, price, quantity, policy } = order;
    let left = quantity;
    if (this.isCrossing(side, price)) {
      if (policy === 'rest_only') return refusedAsTaker;
      const isWhole = policy === 'all_or_nothing';
      const reachable = this.countReachable(order, isWhole ? reach.seen : reach.met, reach.seen);
      if (reachable < 0) return refusedAsSelfTrade;
      if (isWhole && reachable < quantity) return quantity;
      this.take(side === buySide ? sellSide : buySide, reachable);
      left -= reachable;
      if (left > 0 && this.isCrossing(side, price)) return left;
    }
    if (left > 0 && (policy === 'rest' || policy === 'rest_only')) {
      this.changes.onLevelChanged(side, price, this.append(order, slot, left));
    }
    return left;
  }

  /**
   * Trades lots with the side's first order, which has at least as many left, for a caller that has
   * judged it already, its account included.
   */
  tradeFirst(makerSide: BookSide, quantity: number): void {
    this.takeLevel(makerSide, quantity);
    (this.totals[makerSide] as number) -= quantity;
  }

  /** Whether `add` would leave part of the order in the book, as far as it sees. */
  wouldRest(order: BookOrder, { seen } = everyOrder): boolean {
    const { side, price, quantity, policy } = order;
    if (policy !== 'rest' && policy !== 'rest_only') return false;
    if (!this.isCrossing(side, price)) return true;
    if (policy === 'rest_only') return false;
    const reachable = this.countReachable(order, seen, seen);
    return reachable >= 0 && reachable < quantity;
  }

  /** Puts back the unfilled part of a saved order without any callback; it must not cross. */
  restore(order: BookOrder, slot: number, left: number): void {
    this.append(order, slot, left);
  }

  /** Removes an order that rests in this book. @returns its lots. */
  cancel(slot: number): number {
    const { levels, recordInts } = this;
    const { ints, floats } = this.records;
    const int = slot * recordInts;
    const next = ints[int + nextAt] as number;
    const previous = ints[int + previousAt] as number;
    const level = ints[int + levelAt] as number;
    const quantity = floats[slot * this.recordFloats + leftAt] as number;
    if (previous >= 0) ints[previous * recordInts + nextAt] = next;
    else levels.setHead(level, next);
    if (next >= 0) ints[next * recordInts + previousAt] = previous;
    else levels.setTail(level, previous);
    this.orderCount -= 1;
    this.reduceLevel(level, quantity);
    return quantity;
  }

  /** The slot of the side's first order in matching order, or -1. */
  firstOf(side: BookSide): number {
    const level = this.bestLevels[side] as number;
    return level < 0 ? -1 : this.levels.head(level);
  }

  /** Removes some, but not all, of a resting order's lots. The order keeps its queue position. */
  reduce(slot: number, lots: number): void {
    const { ints, floats } = this.records;
    (floats[slot * this.recordFloats + leftAt] as number) -= lots;
    this.reduceLevel(ints[slot * this.recordInts + levelAt] as number, lots);
  }

  /** Calls `visit` for each level of a side, best first, as long as it returns true. */
  visitLevels(side: BookSide, visit: (price: number, quantity: number) => boolean): void {
    let level = this.bestLevels[side] as number;
    while (level >= 0) {
      const price = this.levels.price(level);
      if (!visit(price, this.levels.total(level))) return;
      level = side === buySide ? this.levels.lower(price) : this.levels.higher(price);
    }
  }

  /** The lots that rest on a side at the limit or a better price, in its first `most` levels. */
  countLots(side: BookSide, limit: number, most: number): number {
    let [lots, left] = [0, most];
    this.visitLevels(side, (price, quantity) => {
      if (left === 0 || (side === buySide ? price < limit : price > limit)) return false;
      left -= 1;
      lots += quantity;
      return true;
    });
    return lots;
  }

  /** Calls `visit` for each order of a side in matching order, until it returns false. */
  visitOrders(
    side: BookSide,
    visit: (slot: number, price: number, quantity: number) => unknown,
  ): void {
    const { records, recordInts, recordFloats } = this;
    let level = this.bestLevels[side] as number;
    while (level >= 0) {
      const price = this.levels.price(level);
      let slot = this.levels.head(level);
      while (slot >= 0) {
        const left = records.floats[slot * recordFloats + leftAt] as number;
        if (visit(slot, price, left) === false) return;
        slot = records.ints[slot * recordInts + nextAt] as number;
      }
      level = side === buySide ? this.levels.lower(price) : this.levels.higher(price);
    }
  }

  /** Whether an order of the side with this limit would trade immediately. */
  isCrossing(side: BookSide, price: number): boolean {
    return side === buySide
      ? price >= (this.bestPrices[sellSide] as number)
      : price <= (this.bestPrices[buySide] as number);
  }

  /**
   * The lots that the order would trade with `most` resting orders, up to the first of its own
   * account; -1 if that is one of those that it sees.
   */
  private countReachable(
    { side, price, quantity, account }: BookOrder,
    most: number,
    seen: number,
  ): number {
    const { levels, recordInts, recordFloats } = this;
    const { ints, floats } = this.records;
    let left = quantity;
    let count = 0;
    let level = this.bestLevels[1 - side] as number;
    while (level >= 0) {
      const levelPrice = levels.price(level);
      if (side === buySide ? levelPrice > price : levelPrice < price) break;
      let slot = levels.head(level);
      while (slot >= 0) {
        if (count === most) return quantity - left;
        const isOwn = ints[slot * recordInts + accountAt] === account;
        if (isOwn) return count < seen ? -1 : quantity - left;
        count += 1;
        left -= floats[slot * recordFloats + leftAt] as number;
        if (left <= 0) return quantity;
        slot = ints[slot * recordInts + nextAt] as number;
      }
      level = side === buySide ? levels.higher(levelPrice) : levels.lower(levelPrice);
    }
    return quantity - left;
  }

  /** Trades lots that the other side has. */
  private take(makerSide: BookSide, quantity: number): void {
    let left = quantity;
    while (left > 0) left = this.takeLevel(makerSide, left);
    (this.totals[makerSide] as number) -= quantity;
  }

  /** Trades against the side's best level. @returns the lots left of the arriving order. */
  private takeLevel(makerSide: BookSide, quantity: number): number {
    const { levels, trades, recordInts, recordFloats } = this;
    const { ints, floats } = this.records;
    const level = this.bestLevels[makerSide] as number;
    const price = levels.price(level);
    let left = quantity;
    let slot = levels.head(level);
    while (slot >= 0 && left > 0) {
      const resting = floats[slot * recordFloats + leftAt] as number;
      if (resting > left) {
        floats[slot * recordFloats + leftAt] = resting - left;
        trades.onTrade(slot, price, left, resting - left);
        left = 0;
        break;
      }
      const next = ints[slot * recordInts + nextAt] as number;
      this.orderCount -= 1;
      left -= resting;
      trades.onTrade(slot, price, resting, 0);
      slot = next;
    }
    const total = levels.total(level) - (quantity - left);
    levels.setTotal(level, total);
    levels.setHead(level, slot);
    if (slot >= 0) ints[slot * recordInts + previousAt] = -1;
    else this.removeLevel(makerSide, level);
    this.changes.onLevelChanged(makerSide, price, total);
    return left;
  }

  /** Queues the order, or its remainder, last at its price. @returns the level's new total. */
  private append({ side, price }: BookOrder, slot: number, quantity: number): number {
    const { levels, recordInts } = this;
    const { ints, floats } = this.records;
    let level = levels.find(price);
    if (level < 0) level = this.addLevel(side, price);
    const int = slot * recordInts;
    const tail = levels.tail(level);
    ints[int + nextAt] = -1;
    ints[int + previousAt] = tail;
    ints[int + levelAt] = level;
    floats[slot * this.recordFloats + leftAt] = quantity;
    if (tail >= 0) ints[tail * recordInts + nextAt] = slot;
    else levels.setHead(level, slot);
    levels.setTail(level, slot);
    const total = levels.total(level) + quantity;
    levels.setTotal(level, total);
    (this.totals[side] as number) += quantity;
    this.orderCount += 1;
    return total;
  }

  /** Reduces a level's total by lots that left it other than by trading. */
  private reduceLevel(level: number, lots: number): void {
    const price = this.levels.price(level);
    const side = this.sideOf(price);
    (this.totals[side] as number) -= lots;
    const total = this.levels.total(level) - lots;
    this.levels.setTotal(level, total);
    if (total === 0) this.removeLevel(side, level);
    this.changes.onLevelChanged(side, price, total);
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

  /** The price to center the window on: the mid price if one window can hold both best prices. */
  private busyPrice(latest: number): number {
    const middle = Math.floor((this.bestBid + this.bestAsk) / 2);
    return this.bestAsk - this.bestBid < this.levels.windowSpan / 2 ? middle : latest;
  }

  /** Bids are always below asks, so a level's price determines its side. */
  private sideOf(price: number): BookSide {
    return price <= (this.bestPrices[buySide] as number) ? buySide : sellSide;
  }
}
