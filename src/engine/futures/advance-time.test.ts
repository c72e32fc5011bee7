import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../test/support/futures-fixture.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { engineFactory } from '../engine.ts';
import type { EngineEvent } from '../events.ts';

const ordersEach = 200;
const accountsCount = 6;
const endedAtOnce = 200;

interface Crowd {
  readonly futures: FuturesFixture;
  readonly accounts: readonly AccountId[];
}

/** 1,200 resting bids; each ends a millisecond before the one that was placed before it. */
function gather(timeInForce: 'gtc' | 'gtd'): Crowd {
  const futures = new FuturesFixture();
  futures.setIndex(30_000);
  const accounts = Array.from({ length: accountsCount }, (_none, at) =>
    futures.fund(1 + at, 100_000),
  );
  let life = 10_000 + accountsCount * ordersEach;
  for (const account of accounts) {
    for (let at = 0; at < ordersEach; at += 1) {
      life -= 1;
      const goodTill = timeInForce === 'gtd' ? ((futures.now + life) as TimestampMs) : null;
      futures.place(account, 'buy', { price: 20_000, quantity: 0.001, timeInForce, goodTill });
    }
  }
  return { futures, accounts };
}

/** The numbers of the orders that ended, in turn. */
function ended(events: readonly EngineEvent[]): readonly number[] {
  return events.flatMap((event) => {
    const isEnd = event.type === 'futuresOrderUpdated' && event.order.status !== 'new';
    return isEnd ? [event.order.orderNumber] : [];
  });
}

function hasMore(events: readonly EngineEvent[]): boolean {
  return events.some(({ type }) => type === 'timedWorkDue');
}

describe('advanceTime', () => {
  it('good till date: those due longest end first, at most 200 per command; the next command ends the rest', () => {
    const { futures } = gather('gtd');
    futures.now += 60_000;
    const all: number[] = [];
    const counts: number[] = [];
    for (let isDue = true; isDue; ) {
      const events = futures.done({ type: 'advanceTime' });
      counts.push(ended(events).length);
      all.push(...ended(events));
      isDue = hasMore(events);
    }
    expect(counts).toEqual([200, 200, 200, 200, 200, 200]);
    expect(all).toEqual(Array.from({ length: 1_200 }, (_none, at) => 1_200 - at));
  });

  it('good till date: other orders are processed between the parts of a tick', () => {
    const { futures, accounts } = gather('gtd');
    const [first] = accounts as [AccountId];
    futures.now += 60_000;
    expect(hasMore(futures.done({ type: 'advanceTime' }))).toBe(true);
    // Of 1,200 bids 1,000 are left; the first account's are the last to end.
    futures.done({ type: 'cancelAllFuturesOrders', accountId: first, marketId: null, kind: 'all' });
    expect(ended(futures.done({ type: 'advanceTime' }))).toHaveLength(endedAtOnce);
    futures.advance(0);
    const { bids } = futures.engine.futures.getFuturesDepth(futuresMarketId, 10);
    expect(bids).toEqual([]);
  });

  it('good till date: what is not due stays, and an engine restored from a snapshot agrees', () => {
    const { futures } = gather('gtd');
    futures.now += 10_099;
    const bytes = futures.engine.encodeState();
    const numbers = ended(futures.done({ type: 'advanceTime' }));
    expect(numbers).toEqual(Array.from({ length: 100 }, (_none, at) => 1_200 - at));
    const hash = futures.engine.stateHash();
    futures.engine = engineFactory.restore(bytes);
    expect(ended(futures.done({ type: 'advanceTime' }))).toEqual(numbers);
    expect(futures.engine.stateHash()).toBe(hash);
  });

  it('countdowns: those due at the same time are canceled by several commands, the longest due first', () => {
    const { futures, accounts } = gather('gtc');
    accounts.forEach((accountId, at) => {
      const cancelAt = (futures.now + 2_000 - at) as TimestampMs;
      const marketId = futuresMarketId;
      futures.done({ type: 'setCountdownCancel', accountId, marketId, cancelAt, kind: 'all' });
    });
    // Started again, it ends at the time of the last call.
    futures.done({
      type: 'setCountdownCancel',
      accountId: accounts[0] as AccountId,
      marketId: futuresMarketId,
      cancelAt: (futures.now + 9_000) as TimestampMs,
      kind: 'all',
    });
    futures.now += 5_000;
    // Each account's orders end together.
    const parts = [6, 5, 4, 3, 2].map(() => futures.done({ type: 'advanceTime' }));
    expect(parts.map((events) => ended(events).length)).toEqual([200, 200, 200, 200, 200]);
    expect(parts.map((events) => ended(events)[0])).toEqual([1_001, 801, 601, 401, 201]);
    expect(parts.map(hasMore)).toEqual([true, true, true, true, false]);
    expect(ended(futures.advance(4_000))).toHaveLength(ordersEach);
  });

  it('countdowns: a countdown for resting orders leaves conditional orders alone, restored or not', () => {
    const futures = new FuturesFixture();
    futures.setIndex(30_000);
    const accountId = futures.fund(1, 100_000);
    futures.place(accountId, 'buy', { price: 20_000, quantity: 0.01 });
    futures.place(accountId, 'sell', {
      orderType: 'stop_market',
      stopPrice: 20_000,
      quantity: 0.01,
    });
    const set = (kind: 'all' | 'resting') =>
      futures.done({
        type: 'setCountdownCancel',
        accountId,
        marketId: futuresMarketId,
        cancelAt: (futures.now + 1_000) as TimestampMs,
        kind,
      });
    set('resting');
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(ended(futures.advance(1_000))).toEqual([1]);
    set('all');
    expect(ended(futures.advance(1_000))).toEqual([2]);
  });
});
