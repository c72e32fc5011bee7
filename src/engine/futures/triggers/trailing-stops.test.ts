import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlainTrailingStops } from '../../../../test/support/plain-trailing-stops.ts';
import { type Side, sides } from '../../../domain/spot-order.ts';
import type { LiveOrder } from '../orders/live-order.ts';
import { StoredOrders } from '../orders/stored-orders.ts';
import type { WatchedPrice } from './is-reached.ts';
import { TrailingStops } from './trailing-stops.ts';

/** Prices for one whole base asset that a tick is worth. */
const tick = 100n;

function watch(price: bigint): WatchedPrice {
  const ticksBelow = Number(price / tick);
  return { price, ticksBelow, ticksAbove: price % tick === 0n ? ticksBelow : ticksBelow + 1 };
}

interface StopTerms {
  readonly activation: number | null;
  readonly callback: number;
}

function makeStop(orderNumber: number, side: Side, { activation, callback }: StopTerms): LiveOrder {
  const order = new StoredOrders().open(orderNumber, 1, 0, 0);
  order.side = side;
  order.type = 'trailing_stop_market';
  order.activationPrice = activation as never;
  order.callback = callback as never;
  return order;
}

/** The stops under test and a plain list of the same. */
class Pair {
  readonly side: Side;
  stops: TrailingStops;
  readonly plain = new PlainTrailingStops();
  readonly orders = new Map<number, LiveOrder>();
  private price = watch(1_000n * tick);
  private orderNumber = 0;

  constructor(side: Side) {
    this.side = side;
    this.stops = new TrailingStops(side);
  }

  place(terms: StopTerms): void {
    this.orderNumber += 1;
    const order = makeStop(this.orderNumber, this.side, terms);
    const { activation, callback } = terms;
    this.orders.set(order.orderNumber, order);
    this.stops.add(order);
    this.plain.add({
      orderNumber: order.orderNumber,
      side: this.side,
      activation: activation === null ? null : BigInt(activation) * tick,
      callback,
    });
  }

  cancel(at: number): void {
    const order = [...this.orders.values()][at % Math.max(1, this.orders.size)];
    if (order !== undefined) this.drop(order);
  }

  move(price: bigint): void {
    this.price = watch(price);
    this.stops.follow(this.price);
    this.plain.follow(price);
  }

  /** Fires as many as one command may; the rest is due at the next price, or no longer due. */
  fire(most: number): void {
    for (const expected of this.plain.due(this.price.price).slice(0, most)) {
      const order = this.stops.findDue(this.price);
      expect(order?.orderNumber).toBe(expected.orderNumber);
      if (order !== undefined) this.drop(order);
    }
  }

  /** Continues with stops that are restored from what a snapshot says about each. */
  restore(): void {
    const restored = new TrailingStops(this.side);
    for (const order of this.orders.values()) {
      const extreme = this.stops.extremeOf(order);
      if (extreme === null) restored.add(order);
      else restored.restore(order, extreme);
    }
    this.stops = restored;
  }

  check(): void {
    expect(this.stops.count).toBe(this.plain.stops.length);
    for (const { orderNumber, extreme } of this.plain.stops) {
      expect(this.stops.extremeOf({ orderNumber: orderNumber as never })).toBe(extreme);
    }
    const [due] = this.plain.due(this.price.price);
    expect(this.stops.findDue(this.price)?.orderNumber).toBe(due?.orderNumber);
    expect(this.stops.height).toBeLessThanOrEqual(heightMax(this.stops.count));
  }

  private drop(order: LiveOrder): void {
    this.stops.remove(order);
    this.plain.remove(order.orderNumber);
    this.orders.delete(order.orderNumber);
  }
}

/** How high a balanced tree of that many can be. */
function heightMax(count: number): number {
  return 1.45 * Math.log2(count + 2);
}

const price = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 980, max: 1_020 }).map((at) => BigInt(at) * tick) },
  { weight: 2, arbitrary: fc.bigInt({ min: 90_000n, max: 110_000n }) },
);
const callback = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(10, 50, 100) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      activation: fc.option(fc.integer({ min: 980, max: 1_020 })),
      callback,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(50) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('move' as const), price }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fire' as const), most: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function run(pair: Pair, each: Step): void {
  switch (each.kind) {
    case 'place':
      return pair.place(each);
    case 'cancel':
      return pair.cancel(each.at);
    case 'move':
      return pair.move(each.price);
    case 'fire':
      return pair.fire(each.most);
    case 'restore':
      return pair.restore();
  }
}

describe('TrailingStops', () => {
  it.each(sides)('trailing stops: %ss behave like a plain list', (side) => {
    let fired = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const pair = new Pair(side);
        for (const each of steps) {
          const before = pair.orders.size;
          run(pair, each);
          if (each.kind === 'fire') fired += before - pair.orders.size;
          pair.check();
        }
      }),
      { numRuns: 100 },
    );
    expect(fired).toBeGreaterThan(100);
  });

  it.each(sides)('trailing stops: a %s is active from its activation price on, exactly', (side) => {
    const stops = new TrailingStops(side);
    const order = makeStop(1, side, { activation: 1_010, callback: 100 });
    const isSell = side === 'sell';
    stops.add(order);
    stops.follow(watch(isSell ? 100_999n : 101_001n));
    expect(stops.extremeOf(order)).toBeNull();
    stops.follow(watch(101_000n));
    expect(stops.extremeOf(order)).toBe(101_000n);
    // 1 % of 1,010.00 is 10.10.
    const [before, at] = isSell ? [99_991n, 99_990n] : [102_009n, 102_010n];
    expect(stops.findDue(watch(before))).toBeUndefined();
    expect(stops.findDue(watch(at))).toBe(order);
  });

  it('trailing stops: the one whose price comes first fires first, then the oldest', () => {
    const stops = new TrailingStops('sell');
    const tight = { activation: null, callback: 100 };
    // 990,000 come from 1,000,000 by 1 % and from 1,100,000 by 10 %.
    stops.add(makeStop(3, 'sell', { activation: null, callback: 1_000 }));
    stops.follow(watch(1_100_000n));
    stops.add(makeStop(5, 'sell', tight));
    stops.add(makeStop(1, 'sell', { activation: null, callback: 200 }));
    stops.add(makeStop(2, 'sell', tight));
    stops.follow(watch(1_000_000n));
    const numbers: number[] = [];
    for (let due = stops.findDue(watch(1n)); due !== undefined; due = stops.findDue(watch(1n))) {
      numbers.push(due.orderNumber);
      stops.remove(due);
    }
    expect(numbers).toEqual([2, 3, 5, 1]);
  });

  it('trailing stops: the tree stays balanced while thousands begin, follow and end at once', () => {
    const pair = new Pair('sell');
    for (let at = 0; at < 4_096; at += 1) {
      pair.place({ activation: 1_000 + at, callback: 10 + (at % 990) });
      expect(pair.stops.height).toBeLessThanOrEqual(heightMax(pair.stops.count));
    }
    for (let at = 1; at <= 1_024; at += 1) {
      // Falling prices with stops that begin at each of them, and one price above them all.
      pair.stops.follow(watch(BigInt(1_000 + at * 4) * tick));
      pair.stops.follow(watch(BigInt(5_000 - at) * tick));
      expect(pair.stops.height).toBeLessThanOrEqual(heightMax(pair.stops.count));
    }
    pair.stops.follow(watch(10_000n * tick));
    const extremes = [...pair.orders.values()].map((order) => pair.stops.extremeOf(order));
    expect(new Set(extremes)).toEqual(new Set([10_000n * tick]));
    for (const order of pair.orders.values()) {
      if (order.orderNumber % 3 === 0) pair.stops.remove(order);
      expect(pair.stops.height).toBeLessThanOrEqual(heightMax(pair.stops.count));
    }
  });

  it('trailing stops: removing an absent entry changes nothing', () => {
    const stops = new TrailingStops('buy');
    const order = makeStop(1, 'buy', { activation: null, callback: 100 });
    stops.add(order);
    stops.remove({ orderNumber: 2 as never });
    expect(stops.count).toBe(1);
    stops.remove(order);
    stops.remove(order);
    expect(stops.count).toBe(0);
  });
});
