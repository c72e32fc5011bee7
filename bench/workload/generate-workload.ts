import { Random } from './random.ts';
import { ReferenceBook } from './reference-book.ts';

// A random market: 50 % resting adds, 40 % cancels and 10 % marketable orders over a drifting
// middle, at a depth that stays near its target. The reference book that the generator keeps to
// make valid commands also gives the trades that any right book must reproduce.

const middleStart = 100_000;
const distanceMax = 500;
const driftMax = 300;
const marketableReach = 1_500;
const quantityMax = 100;
const commandsPerStep = 50;

export const addCommand = 1;
export const cancelCommand = 2;
const marketableCommand = 3;

export interface WorkloadExpectation {
  readonly trades: number;
  readonly tradedQty: number;
  /** Order-exact: FNV-style over (maker id, taker id, lots, price) of each trade. */
  readonly hash: number;
}

export interface Workload {
  /** Resting adds that fill the book first; not timed. */
  readonly prefillCount: number;
  readonly types: Uint8Array;
  readonly sides: Uint8Array;
  readonly prices: Uint32Array;
  readonly quantities: Uint32Array;
  readonly orderNumbers: Uint32Array;
  readonly expected: WorkloadExpectation;
}

export interface WorkloadSize {
  readonly commands: number;
  readonly liveOrders: number;
  readonly seed: number;
}

export function generateWorkload(size: WorkloadSize): Workload {
  return new Generator(size).run();
}

class Generator {
  private readonly size: WorkloadSize;
  private readonly random: Random;
  private readonly book = new ReferenceBook(middleStart);
  private readonly workload: Workload;
  private middle = middleStart;
  private orderNumber = 1;
  private written = 0;

  constructor(size: WorkloadSize) {
    this.size = size;
    this.random = new Random(size.seed);
    const total = size.commands + size.liveOrders;
    this.workload = {
      prefillCount: size.liveOrders,
      types: new Uint8Array(total),
      sides: new Uint8Array(total),
      prices: new Uint32Array(total),
      quantities: new Uint32Array(total),
      orderNumbers: new Uint32Array(total),
      expected: { trades: 0, tradedQty: 0, hash: 0 },
    };
  }

  run(): Workload {
    const { commands, liveOrders } = this.size;
    for (let step = 0; step < liveOrders; step += 1) {
      if (step % commandsPerStep === 0) this.middle += this.random.nextBit() === 1 ? 1 : -1;
      this.add();
    }
    for (let step = 0; step < commands; step += 1) {
      if (step % commandsPerStep === 0) this.drift();
      const lack = (liveOrders - this.book.live.length) / liveOrders;
      const pull = Math.max(-0.05, Math.min(0.05, lack));
      const draw = this.random.nextFraction();
      if (draw < 0.1) this.cross();
      else if (draw < 0.6 + pull) this.add();
      else this.cancel();
    }
    const { trades, tradedQuantity: tradedQty, hash } = this.book;
    return { ...this.workload, expected: { trades, tradedQty, hash } };
  }

  private drift(): void {
    const moved = this.middle + (this.random.nextBit() === 1 ? 1 : -1);
    this.middle = Math.max(middleStart - driftMax, Math.min(middleStart + driftMax, moved));
  }

  private add(): void {
    const { bestBid, bestAsk } = this.book;
    const side = this.random.nextBit();
    const draw = this.random.nextFraction();
    const distance = 1 + ((distanceMax * draw * draw) | 0);
    let price = side === 0 ? this.middle - distance : this.middle + distance;
    if (side === 0 && bestAsk > 0 && price >= bestAsk) price = bestAsk - 1;
    if (side === 1 && bestBid > 0 && price <= bestBid) price = bestBid + 1;
    const quantity = 1 + this.random.nextBelow(quantityMax);
    const orderNumber = this.orderNumber++;
    this.write(addCommand, { side, price, quantity, orderNumber });
    this.book.add({ side, price, quantity, orderNumber });
  }

  private cross(): void {
    const side = this.random.nextBit();
    const price = side === 0 ? middleStart + marketableReach : middleStart - marketableReach;
    const quantity = 1 + this.random.nextBelow(quantityMax);
    const orderNumber = this.orderNumber++;
    this.write(marketableCommand, { side, price, quantity, orderNumber });
    this.book.take({ side, price, quantity, orderNumber });
  }

  private cancel(): void {
    const { live } = this.book;
    const order = live[this.random.nextBelow(live.length)];
    if (order === undefined) throw new Error('the book is empty');
    const { side, price, orderNumber } = order;
    this.write(cancelCommand, { side, price, quantity: 0, orderNumber });
    this.book.remove(order);
  }

  private write(
    type: number,
    order: { side: number; price: number; quantity: number; orderNumber: number },
  ): void {
    const at = this.written++;
    this.workload.types[at] = type;
    this.workload.sides[at] = order.side;
    this.workload.prices[at] = order.price;
    this.workload.quantities[at] = order.quantity;
    this.workload.orderNumbers[at] = order.orderNumber;
  }
}
