import { mixTrade, tradeHashStart } from '../workload/trade-hash.ts';

// The book that most would write first: an object an order, a Map from order number to order, a
// sorted array of price levels per side. It stands here as the peer that ours is measured against.

interface ObjectOrder {
  readonly orderNumber: number;
  readonly side: number;
  readonly price: number;
  quantity: number;
  next: ObjectOrder | null;
  previous: ObjectOrder | null;
  level: ObjectLevel;
}

interface ObjectLevel {
  readonly price: number;
  total: number;
  head: ObjectOrder | null;
  tail: ObjectOrder | null;
}

export class ObjectBook {
  trades = 0;
  tradedQuantity = 0;
  hash = tradeHashStart;
  private readonly orders = new Map<number, ObjectOrder>();
  /** Worst first, so that the best is popped off the end. */
  private readonly sides: [ObjectLevel[], ObjectLevel[]] = [[], []];

  add(orderNumber: number, side: number, price: number, quantity: number): void {
    const left = this.match(orderNumber, side, price, quantity);
    if (left > 0) this.rest(orderNumber, side, price, left);
  }

  cancel(orderNumber: number): boolean {
    const order = this.orders.get(orderNumber);
    if (order === undefined) return false;
    this.orders.delete(orderNumber);
    const { level } = order;
    if (order.previous === null) level.head = order.next;
    else order.previous.next = order.next;
    if (order.next === null) level.tail = order.previous;
    else order.next.previous = order.previous;
    level.total -= order.quantity;
    if (level.head === null) {
      const levels = this.levelsOf(order.side);
      levels.splice(placeOf(levels, order.side, order.price), 1);
    }
    return true;
  }

  private match(orderNumber: number, side: number, price: number, quantity: number): number {
    const levels = this.levelsOf(1 - side);
    let left = quantity;
    while (left > 0) {
      const level = levels[levels.length - 1];
      if (level === undefined) return left;
      if (side === 0 ? level.price > price : level.price < price) return left;
      while (left > 0 && level.head !== null) {
        const maker = level.head;
        const traded = Math.min(left, maker.quantity);
        left -= traded;
        maker.quantity -= traded;
        level.total -= traded;
        this.report(maker.orderNumber, orderNumber, traded, level.price);
        if (maker.quantity > 0) continue;
        this.orders.delete(maker.orderNumber);
        level.head = maker.next;
        if (maker.next === null) level.tail = null;
        else maker.next.previous = null;
      }
      if (level.head === null) levels.pop();
    }
    return left;
  }

  private rest(orderNumber: number, side: number, price: number, quantity: number): void {
    const levels = this.levelsOf(side);
    const place = placeOf(levels, side, price);
    let level = levels[place];
    if (level === undefined || level.price !== price) {
      level = { price, total: 0, head: null, tail: null };
      levels.splice(place, 0, level);
    }
    const previous = level.tail;
    const order = { orderNumber, side, price, quantity, next: null, previous, level };
    if (previous === null) level.head = order;
    else previous.next = order;
    level.tail = order;
    level.total += quantity;
    this.orders.set(orderNumber, order);
  }

  private report(maker: number, taker: number, quantity: number, price: number): void {
    this.trades += 1;
    this.tradedQuantity += quantity;
    this.hash = mixTrade(this.hash, maker, taker, quantity, price);
  }

  private levelsOf(side: number): ObjectLevel[] {
    return side === 0 ? this.sides[0] : this.sides[1];
  }
}

/** Where a price stands, or would stand, among levels sorted from worst to best. */
function placeOf(levels: readonly ObjectLevel[], side: number, price: number): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = levels[middle]?.price ?? 0;
    if (side === 0 ? found < price : found > price) low = middle + 1;
    else high = middle;
  }
  return low;
}
