import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import { PlainTrailingStops } from '../../../../test/support/plain-trailing-stops.ts';
import type { TriggerPriceKind } from '../../../domain/futures-order.ts';
import type { AccountId, OrderNumber } from '../../../domain/identifiers.ts';
import { type Side, sides } from '../../../domain/spot-order.ts';
import { engineFactory } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';

const firedMax = 64;
/** 10^-8 USDT that one tick of BTCUSDT is worth. */
const tick = 10_000_000n;
const kinds = ['mark', 'contract'] as const;

type OrderEvent = Extract<EngineEvent, { type: 'futuresOrderUpdated' }>;

function ordersTold(events: readonly EngineEvent[], cause: OrderEvent['cause']): OrderEvent[] {
  return events.flatMap((event) => {
    return event.type === 'futuresOrderUpdated' && event.cause === cause ? [event] : [];
  });
}

function triggered(events: readonly EngineEvent[]): number[] {
  return ordersTold(events, 'triggered').map(({ order }) => order.orderNumber);
}

function isWorkDue(events: readonly EngineEvent[]): boolean {
  return events.some(({ type }) => type === 'timedWorkDue');
}

/** Follows an engine's events with plain lists of trailing stops, one for each watched price. */
class Follower {
  private readonly lists = { mark: new PlainTrailingStops(), contract: new PlainTrailingStops() };
  private mark: bigint | null = null;
  private last: bigint | null = null;
  private hasMoved = false;
  fired = 0;

  get waiting(): readonly number[] {
    const stops = [...this.lists.mark.stops, ...this.lists.contract.stops];
    return stops.map(({ orderNumber }) => orderNumber).sort((a, b) => a - b);
  }

  read(events: readonly EngineEvent[]): void {
    let fired = 0;
    for (const event of events) {
      if (event.type === 'markPriceChanged') this.mark = event.markPrice;
      if (event.type === 'futuresTradeExecuted') this.last = BigInt(event.trade.price) * tick;
      this.hasMoved ||= event.type === 'markPriceChanged' || event.type === 'futuresTradeExecuted';
      if (event.type === 'futuresOrderUpdated' && event.order.callback !== null) {
        if (event.cause === 'triggered') {
          fired += 1;
          expect(event.order.orderNumber).toBe(this.firstDue());
        }
        this.take(event);
      }
    }
    this.fired += fired;
    if (!this.hasMoved) return;
    const due = this.firstDue();
    if (fired === firedMax && due !== undefined) return expect(isWorkDue(events)).toBe(true);
    expect(due).toBeUndefined();
    this.hasMoved = false;
  }

  /** All see the present prices; the number of the first that is due. */
  private firstDue(): number | undefined {
    const due = kinds.flatMap((kind) => {
      const price = kind === 'mark' ? this.mark : (this.last ?? this.mark);
      if (price === null) return [];
      this.lists[kind].follow(price);
      return this.lists[kind].due(price);
    });
    return due[0]?.orderNumber;
  }

  private take({ order, cause }: OrderEvent): void {
    const { orderNumber, side, activationPrice, callback, triggerPriceKind } = order;
    const list = this.lists[triggerPriceKind];
    if (cause !== 'placed') return list.remove(orderNumber);
    const activation = activationPrice === null ? null : BigInt(activationPrice) * tick;
    list.add({ orderNumber, side, activation, callback: callback ?? 0 });
  }
}

/** A market at 30,000 with a deep book, and traders who can carry whatever they place. */
class Floor {
  readonly futures = new FuturesFixture();
  readonly follower = new Follower();
  readonly traders: readonly AccountId[];
  private readonly makers: readonly AccountId[];

  constructor() {
    const { futures } = this;
    futures.setIndex(30_000);
    this.makers = [futures.fund(1, 1_000_000_000), futures.fund(2, 1_000_000_000)];
    this.traders = [3, 4, 5].map((number) => futures.fund(number, 1_000_000_000));
    const [maker] = this.makers as [AccountId];
    for (let at = 1; at <= 90; at += 1) {
      futures.place(maker, 'buy', { price: 30_000 - at * 15, quantity: 0.003 });
      futures.place(maker, 'sell', { price: 30_000 + at * 15, quantity: 0.003 });
    }
    this.follow(futures.setIndex(30_001));
    this.trade(30_000);
  }

  follow(events: readonly EngineEvent[]): void {
    this.follower.read(events);
  }

  place({ trader, side, kind, activation, callbackBps }: PlaceStep): void {
    const order = this.futures.order(this.traders[trader] as AccountId, side, {
      orderType: 'trailing_stop_market',
      quantity: 0.001,
      triggerPriceKind: kind,
      ...(activation === null ? {} : { activation: 30_000 + activation }),
      callbackBps,
    });
    this.follow(this.futures.apply(order).events);
  }

  cancel(at: number): void {
    const orderNumber = this.waiting(at);
    if (orderNumber === undefined) return;
    const order = this.futures.engine.futures.findOpenFuturesOrder(orderNumber);
    const accountId = order?.accountId as AccountId;
    this.follow(this.futures.done({ type: 'cancelFuturesOrder', accountId, orderNumber }));
  }

  /** A trailing stop that waits cannot be amended, and trying leaves it as it is. */
  amend(at: number): void {
    const orderNumber = this.waiting(at);
    if (orderNumber === undefined) return;
    const order = this.futures.engine.futures.findOpenFuturesOrder(orderNumber);
    const refusal = this.futures.refusal({
      type: 'amendFuturesOrder',
      accountId: order?.accountId as AccountId,
      orderNumber,
      side: null,
      price: 300_000 as never,
      priceMatch: 'none',
      quantity: 2 as never,
      modifyId: null,
    });
    expect(refusal).toBe('order_not_amendable');
  }

  /** Two makers trade at the price, or as near to it as the book allows. */
  trade(price: number): void {
    const [maker, other] = this.makers as [AccountId, AccountId];
    const terms = { price, quantity: 0.001, selfTradeMode: 'expire_maker' } as const;
    const { futures } = this;
    this.follow(futures.apply(futures.order(other, 'sell', terms)).events);
    this.follow(futures.apply(futures.order(maker, 'buy', terms)).events);
  }

  restore(): void {
    const { engine } = this.futures;
    this.futures.engine = engineFactory.restore(engine.encodeState());
    expect(this.futures.engine.stateHash()).toBe(engine.stateHash());
  }

  /** The open trailing stops are those that the plain lists hold. */
  check(): void {
    const { futures } = this.futures.engine;
    const open = this.traders
      .flatMap((trader) => futures.listOpenFuturesOrders(trader, futuresMarketId))
      .map(({ orderNumber }) => orderNumber as number)
      .sort((a, b) => a - b);
    expect(open).toEqual(this.follower.waiting);
  }

  private waiting(at: number): OrderNumber | undefined {
    const { waiting } = this.follower;
    return waiting[at % Math.max(1, waiting.length)] as OrderNumber | undefined;
  }
}

interface PlaceStep {
  readonly trader: number;
  readonly side: Side;
  readonly kind: TriggerPriceKind;
  /** From the middle price, in USDT. */
  readonly activation: number | null;
  readonly callbackBps: number;
}

const offset = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -4, max: 4 }).map((steps) => steps * 30) },
  { weight: 1, arbitrary: fc.integer({ min: -600, max: 600 }) },
);
const place = fc.record({
  kind: fc.constant('place' as const),
  stop: fc.record({
    trader: fc.nat(2),
    side: fc.constantFrom(...sides),
    kind: fc.constantFrom(...kinds),
    activation: fc.option(offset),
    callbackBps: fc.constantFrom(10, 10, 20, 50, 100),
  }),
});
const step = fc.oneof(
  { weight: 10, arbitrary: place },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('trade' as const), price: offset }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('index' as const), price: offset }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('amend' as const), at: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function run(floor: Floor, each: Step): void {
  switch (each.kind) {
    case 'place':
      return floor.place(each.stop);
    case 'trade':
      return floor.trade(30_000 + each.price);
    case 'index':
      return floor.follow(floor.futures.setIndex(30_000 + each.price));
    case 'cancel':
      return floor.cancel(each.at);
    case 'amend':
      return floor.amend(each.at);
    case 'wait':
      floor.futures.now += 300;
      return floor.follow(floor.futures.done({ type: 'advanceTime' }));
    case 'restore':
      return floor.restore();
  }
}

/**
 * That many trailing stops to sell, active at 31,000; every other one fires at 1 %, else at 2 %.
 */
function gather(count: number): FuturesFixture {
  const futures = new FuturesFixture();
  futures.setIndex(30_000);
  const seller = futures.fund(1, 100_000_000);
  const maker = futures.fund(2, 100_000_000);
  futures.place(maker, 'buy', { price: 29_900, quantity: 1 });
  for (let at = 0; at < count; at += 1) {
    futures.place(seller, 'sell', {
      orderType: 'trailing_stop_market',
      quantity: 0.001,
      triggerPriceKind: 'mark',
      activation: 31_000,
      callbackBps: at % 2 === 0 ? 200 : 100,
    });
  }
  expect(triggered(futures.setIndex(31_000))).toEqual([]);
  return futures;
}

describe('fireTriggers', () => {
  it('trailing stops: fire at the same time and in the same order as a plain list', () => {
    let fired = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
        const floor = new Floor();
        for (const each of steps) {
          run(floor, each);
          floor.check();
        }
        fired += floor.follower.fired;
      }),
      { numRuns: 60 },
    );
    expect(fired).toBeGreaterThan(200);
  });

  it('triggers: at most 64 fire in one command, the next command continues', () => {
    const futures = gather(150);
    const [odd, even] = [1, 2].map((first) =>
      Array.from({ length: 75 }, (_none, at) => first + 1 + 2 * at),
    ) as [number[], number[]];
    const numbers: number[] = [];
    const counts: number[] = [];
    let events = futures.setIndex(30_000);
    for (;;) {
      numbers.push(...triggered(events));
      counts.push(triggered(events).length);
      if (!isWorkDue(events)) break;
      events = futures.done({ type: 'advanceTime' });
    }
    expect(counts).toEqual([64, 64, 22]);
    // The price comes past those of 1 % before those of 2 %.
    expect(numbers).toEqual([...even, ...odd]);
  });

  it('triggers: a snapshot between two parts of what fires changes nothing', () => {
    const [futures, restored] = [gather(100), gather(100)];
    expect(triggered(futures.setIndex(30_000))).toEqual(triggered(restored.setIndex(30_000)));
    restored.engine = engineFactory.restore(restored.engine.encodeState());
    const rest = futures.done({ type: 'advanceTime' });
    expect(triggered(rest)).toHaveLength(36);
    expect(restored.done({ type: 'advanceTime' })).toEqual(rest);
    expect(restored.engine.stateHash()).toBe(futures.engine.stateHash());
  });

  it('trailing stops: those left after others have fired keep following the price', () => {
    const futures = gather(100);
    futures.setIndex(30_650);
    // 50 have fired at 1 % from 31,000; the others follow up to 32,000 and fire 2 % below.
    expect(triggered(futures.setIndex(32_000))).toEqual([]);
    expect(triggered(futures.setIndex(31_361))).toEqual([]);
    expect(triggered(futures.setIndex(31_360))).toHaveLength(50);
  });
});
