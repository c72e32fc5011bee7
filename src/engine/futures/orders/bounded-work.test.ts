import { afterEach, describe, expect, it, vi } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import { OrderBook } from '../../book/order-book.ts';
import type { EngineEvent } from '../../events.ts';

const ordersEach = 200;

/** Places that many resting orders of one lot each, 200 per account. */
function restMany(
  futures: FuturesFixture,
  side: 'buy' | 'sell',
  { price, count }: { readonly price: number; readonly count: number },
): void {
  for (let rested = 0; rested < count; rested += ordersEach) {
    const accountId = futures.fund(100 + rested, 1_000);
    for (let at = rested; at < Math.min(count, rested + ordersEach); at += 1) {
      futures.place(accountId, side, { price, quantity: 0.001 });
    }
  }
}

function endOf(events: readonly EngineEvent[]): unknown {
  const last = events.filter((event) => event.type === 'futuresOrderUpdated').at(-1);
  return [last?.order.filledQuantity, last?.end];
}

/** The numbers of the orders that have ended by anything but a trade. */
function endedBy(events: readonly EngineEvent[]): number[] {
  return events.flatMap((event) =>
    event.type === 'futuresOrderUpdated' && ['canceled', 'expired'].includes(event.cause)
      ? [event.order.orderNumber]
      : [],
  );
}

describe('makers that one order or slice meets', () => {
  it('are 10,000 at most; what is left of an order expires', () => {
    const futures = new FuturesFixture();
    const taker = futures.fund(1, 1_000_000);
    futures.setIndex(30_000);
    restMany(futures, 'sell', { price: 30_000, count: 10_050 });
    const all = { price: 30_000, quantity: 10.05 };
    const fok = futures.order(taker, 'buy', { ...all, timeInForce: 'fok' });
    expect(endOf(futures.done(fok))).toEqual([0, 'time_in_force']);
    const limit = futures.order(taker, 'buy', all);
    expect(endOf(futures.done(limit))).toEqual([10_000, 'price_protection']);
    expect(futures.position(taker).quantity).toBe(10_000);
  });

  it('are 10,000 at most of a close-out, which continues with the book in the next command', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 16_000), futures.fund(2, 1_000_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 10.05 });
    futures.place(long, 'buy', { price: 30_000, quantity: 10.05 });
    restMany(futures, 'buy', { price: 28_500, count: 10_050 });
    // E 673.75 of 15,849.25 under two thirds of 1,145.298: everything is closed.
    const events = futures.setIndex(28_490);
    expect(futures.position(long).quantity).toBe(50);
    expect(events).toContainEqual({ type: 'timedWorkDue' });
    futures.advance(0);
    expect(futures.position(long).quantity).toBe(0);
    expect(futures.position(short).quantity).toBe(-10_050);
  });
});

describe('a fill-or-kill order', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const fokOf = (futures: FuturesFixture, taker: AccountId, quantity: number): unknown => {
    const terms = { price: 30_000, quantity, timeInForce: 'fok' } as const;
    return endOf(futures.done(futures.order(taker, 'buy', terms)));
  };

  it('reaches 1,000 makers at most; under rules 12 it reached 10,000', () => {
    const reached = ([12, 13] as const).map((rules) => {
      const futures = new FuturesFixture(btcTerms, rules);
      const taker = futures.fund(1, 1_000_000);
      futures.setIndex(30_000);
      restMany(futures, 'sell', { price: 30_000, count: 2_100 });
      return [fokOf(futures, taker, 1.001), fokOf(futures, taker, 1)];
    });
    expect(reached).toEqual([
      [
        [1_001, null],
        [1_000, null],
      ],
      [
        [0, 'time_in_force'],
        [1_000, null],
      ],
    ]);
  });

  it('looks at no maker where the levels do not show enough', () => {
    const futures = new FuturesFixture();
    const [maker, taker] = [futures.fund(1, 1_000_000), futures.fund(2, 1_000_000)];
    futures.setIndex(30_000);
    for (const price of [29_999, 30_000]) futures.place(maker, 'sell', { price, quantity: 1 });
    futures.place(maker, 'sell', { price: 30_000.1, quantity: 5 });
    const walk = vi.spyOn(OrderBook.prototype, 'visitOrders');
    expect(fokOf(futures, taker, 2.001)).toEqual([0, 'time_in_force']);
    expect(walk).not.toHaveBeenCalled();
    expect(fokOf(futures, taker, 2)).toEqual([2_000, null]);
    expect(walk).toHaveBeenCalledOnce();
  });
});

describe('triggered orders', () => {
  const firedAt = (futures: FuturesFixture): number => {
    const events = futures.setIndex(30_010);
    const fired = events.filter(
      (event) => event.type === 'futuresOrderUpdated' && event.cause === 'triggered',
    );
    expect(events.some(({ type }) => type === 'timedWorkDue')).toBe(fired.length < 3);
    return fired.length;
  };

  it('fire until the command has met 10,000 makers; the others fire with the next command', () => {
    const met = ([12, 13] as const).map((rules) => {
      const futures = new FuturesFixture(btcTerms, rules);
      futures.setIndex(30_000);
      restMany(futures, 'sell', { price: 30_020, count: 15_200 });
      const takers = [1, 2, 3].map((number) => futures.fund(number, 1_000_000));
      const stop = { orderType: 'stop', stopPrice: 30_010, triggerPriceKind: 'mark' } as const;
      for (const taker of takers) {
        futures.place(taker, 'buy', { ...stop, price: 30_020, timeInForce: 'gtc', quantity: 5.05 });
      }
      const fired = firedAt(futures);
      futures.advance(0);
      expect(takers.map((taker) => futures.position(taker).quantity)).toEqual([
        5_050, 5_050, 5_050,
      ]);
      return fired;
    });
    expect(met).toEqual([3, 2]);
  });
});

describe('an order whose account lacks the margin', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is refused without a walk through the book', () => {
    const futures = new FuturesFixture();
    const [maker, poor] = [futures.fund(1, 1_000_000), futures.fund(2, 1)];
    futures.setIndex(30_000);
    futures.place(maker, 'sell', { price: 30_100, quantity: 1 });
    const walk = vi.spyOn(OrderBook.prototype, 'visitLevels');
    const order = { price: 31_000, quantity: 100 };
    expect(futures.refusal(futures.order(poor, 'buy', order))).toBe('insufficient_margin');
    expect(walk).not.toHaveBeenCalled();
    // One that has the margin pays for what its trades are worse than the mark.
    expect(futures.refusal(futures.order(futures.fund(3, 400_000), 'buy', order))).toBeNull();
    expect(walk).toHaveBeenCalledOnce();
  });
});

describe('orders that end with their parents', () => {
  const child = (price: number) => ({
    stopPrice: (price * 10) as Ticks,
    triggerPriceKind: 'mark' as const,
  });

  /** Parents with two children each, 66 in every market of every account. */
  function restParents(goodTill: number | null): { futures: FuturesFixture; parents: number } {
    const futures = new FuturesFixture();
    futures.done({
      type: 'createFuturesMarket',
      terms: { ...btcTerms, symbol: 'ETHUSDT', baseAsset: 'ETH' },
    });
    let parents = 0;
    for (const [at, symbol] of ['BTCUSDT', 'ETHUSDT'].entries()) {
      const price = toAmount(30_000n * 10n ** 8n);
      futures.done({ type: 'setIndexPrice', symbol, price });
      const accountId = at === 0 ? futures.fund(1, 1_000_000) : (1 as AccountId);
      for (let count = 0; count < 66; count += 1) {
        const timed =
          goodTill === null
            ? {}
            : { timeInForce: 'gtd' as const, goodTill: goodTill as TimestampMs };
        futures.place(accountId, 'buy', {
          marketId: at as FuturesMarketId,
          price: 29_900,
          quantity: 0.001,
          takeProfit: child(31_000),
          stopLoss: child(29_000),
          ...timed,
        });
        parents += 1;
      }
    }
    return { futures, parents };
  }

  it('count: a cancel-all ends at most 256 orders with them', () => {
    const { futures, parents } = restParents(null);
    const command = {
      type: 'cancelAllFuturesOrders',
      accountId: 1 as AccountId,
      marketId: null,
      kind: 'all',
    } as const;
    const pieces = [futures.done(command), futures.done(command)];
    expect(pieces.map((events) => endedBy(events).length)).toEqual([255, parents * 3 - 255]);
    expect(pieces.map((events) => events.some(({ type }) => type === 'workDue'))).toEqual([
      true,
      false,
    ]);
  });

  it('count: time ends about 200 in one command with them, and all in the end', () => {
    const goodTill = new FuturesFixture().now + 5_000;
    const { futures, parents } = restParents(goodTill);
    futures.now += 5_000;
    const first = endedBy(futures.done({ type: 'advanceTime' }));
    expect(first.length).toBe(201);
    const rest = endedBy(futures.advance(0));
    expect(new Set([...first, ...rest]).size).toBe(parents * 3);
  });
});
