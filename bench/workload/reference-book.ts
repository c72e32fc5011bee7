import { mixTrade, tradeHashStart } from './trade-hash.ts';

interface ReferenceOrder {
  readonly orderNumber: number;
  readonly side: number;
  readonly price: number;
  quantity: number;
  place: number;
  isGone: boolean;
}

interface ReferenceLevel {
  queue: ReferenceOrder[];
  head: number;
  count: number;
}

interface NewOrder {
  readonly orderNumber: number;
  readonly side: number;
  readonly price: number;
  readonly quantity: number;
}

/** How far from its start the generator's market ever goes. */
const reach = 2_000;

/** The generator's own book: a map of queues, and best prices found by walking tick by tick. */
export class ReferenceBook {
  readonly live: ReferenceOrder[] = [];
  bestBid = -1;
  bestAsk = -1;
  trades = 0;
  tradedQuantity = 0;
  hash = tradeHashStart;
  private readonly middle: number;
  private readonly levels = new Map<number, ReferenceLevel>();

  constructor(middle: number) {
    this.middle = middle;
  }

  add(order: NewOrder): void {
    const resting = { ...order, place: this.live.length, isGone: false };
    const level = this.levelAt(order.side, order.price);
    level.queue.push(resting);
    level.count += 1;
    this.live.push(resting);
    if (order.side === 0) this.bestBid = Math.max(this.bestBid, order.price);
    else if (this.bestAsk < 0 || order.price < this.bestAsk) this.bestAsk = order.price;
  }

  take(order: NewOrder): void {
    let left = order.quantity;
    const side = 1 - order.side;
    while (left > 0) {
      const price = side === 0 ? this.bestBid : this.bestAsk;
      if (price < 0) throw new Error('the market ran empty');
      const maker = this.firstAt(side, price);
      const quantity = Math.min(left, maker.quantity);
      left -= quantity;
      maker.quantity -= quantity;
      this.trades += 1;
      this.tradedQuantity += quantity;
      this.hash = mixTrade(this.hash, maker.orderNumber, order.orderNumber, quantity, price);
      if (maker.quantity === 0) this.remove(maker);
    }
  }

  remove(order: ReferenceOrder): void {
    const level = this.levelAt(order.side, order.price);
    level.count -= 1;
    const last = this.live.pop();
    if (last !== undefined && last !== order) {
      this.live[order.place] = last;
      last.place = order.place;
    }
    order.isGone = true;
    if (level.count > 0) return;
    level.queue = [];
    level.head = 0;
    this.findBest(order.side);
  }

  private firstAt(side: number, price: number): ReferenceOrder {
    const level = this.levelAt(side, price);
    for (;;) {
      const order = level.queue[level.head];
      if (order === undefined) throw new Error('a best level is never empty');
      if (!order.isGone) return order;
      level.head += 1;
    }
  }

  private findBest(side: number): void {
    if (side === 0) {
      while (this.bestBid > 0 && this.countAt(0, this.bestBid) === 0) {
        this.bestBid = this.bestBid < this.middle - reach ? -1 : this.bestBid - 1;
      }
    } else {
      while (this.bestAsk > 0 && this.countAt(1, this.bestAsk) === 0) {
        this.bestAsk = this.bestAsk > this.middle + reach ? -1 : this.bestAsk + 1;
      }
    }
  }

  private countAt(side: number, price: number): number {
    return this.levels.get(price * 2 + side)?.count ?? 0;
  }

  private levelAt(side: number, price: number): ReferenceLevel {
    const key = price * 2 + side;
    let level = this.levels.get(key);
    if (level === undefined) {
      level = { queue: [], head: 0, count: 0 };
      this.levels.set(key, level);
    }
    return level;
  }
}
