import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { EngineEvent } from '../../events.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// All longs of a market together may be worth 300,000 USDT: 10 BTC at a mark of 30,000.

const unit = 10n ** 8n;

interface Story {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  readonly bob: AccountId;
  readonly carol: AccountId;
  readonly dave: AccountId;
}

function begin(rules: Rules = rulesVersion): Story {
  const most = toAmount(300_000n * unit);
  const terms = { ...btcTerms, maxNotional: most, maxOpenInterest: most };
  const futures = new FuturesFixture(terms, rules);
  const [alice, bob] = [futures.fund(1, 1_000_000), futures.fund(2, 1_000_000)];
  const [carol, dave] = [futures.fund(3, 1_000_000), futures.fund(4, 1_000_000)];
  futures.setIndex(30_000);
  for (const accountId of [alice, bob, carol, dave]) {
    const { marketId } = futures.position(accountId);
    futures.done({ type: 'setLeverage', accountId, marketId, leverage: 10 });
  }
  return { futures, alice, bob, carol, dave };
}

function endOf(events: readonly EngineEvent[]): unknown {
  const last = events.filter((event) => event.type === 'futuresOrderUpdated').at(-1);
  return [last?.order.filledQuantity, last?.end];
}

describe('open interest', () => {
  it('trades up to its maximum; the rest of the arriving order expires', () => {
    const { futures, alice, bob, carol, dave } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 8 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 8 });
    futures.place(dave, 'sell', { price: 30_000, quantity: 5 });
    const events = futures.done(futures.order(carol, 'buy', { price: 30_000, quantity: 5 }));
    expect(endOf(events)).toEqual([2_000, 'open_interest']);
    expect(futures.engine.futures.getOpenInterest(futures.position(carol).marketId)).toBe(10_000);
    // Nothing of it rests, and the maker's order stays.
    expect(
      futures.engine.futures.getFuturesDepth(futures.position(carol).marketId, 5),
    ).toMatchObject({ bids: [], asks: [{ quantity: 3_000 }] });
  });

  it('at its maximum closing orders still trade, against other closing orders and against new positions', () => {
    const { futures, alice, bob, carol, dave } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 10 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 10 });
    futures.place(alice, 'sell', { price: 30_000, quantity: 4 });
    const turned = futures.done(futures.order(carol, 'buy', { price: 30_000, quantity: 4 }));
    expect(endOf(turned)).toEqual([4_000, null]);
    futures.place(alice, 'sell', { price: 30_000, quantity: 6 });
    const closed = futures.done(futures.order(bob, 'buy', { price: 30_000, quantity: 6 }));
    expect(endOf(closed)).toEqual([6_000, null]);
    futures.place(dave, 'sell', { price: 30_000, quantity: 8 });
    const fok = { price: 30_000, quantity: 7, timeInForce: 'fok' } as const;
    expect(endOf(futures.done(futures.order(alice, 'buy', fok)))).toEqual([0, 'time_in_force']);
    const all = { ...fok, quantity: 6 } as const;
    expect(endOf(futures.done(futures.order(alice, 'buy', all)))).toEqual([6_000, null]);
  });

  it('a fill-or-kill order that the maximum stops at one maker reaches no other', () => {
    const { futures, alice, bob, carol, dave } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 8 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 8 });
    // Room for 2: the first maker's 3 stop it, though the second would only close.
    futures.place(dave, 'sell', { price: 30_000, quantity: 3 });
    futures.place(alice, 'sell', { price: 30_001, quantity: 5, isReduceOnly: true });
    const fok = { price: 30_001, quantity: 5, timeInForce: 'fok' } as const;
    expect(endOf(futures.done(futures.order(carol, 'buy', fok)))).toEqual([0, 'time_in_force']);
    const two = { ...fok, quantity: 2 } as const;
    expect(endOf(futures.done(futures.order(carol, 'buy', two)))).toEqual([2_000, null]);
  });

  it.each([
    [11, [2_000, 'open_interest']],
    [12, [0, 'time_in_force']],
    [13, [0, 'time_in_force']],
  ] as const)('a fill-or-kill order at the maximum, by the rules of version %i', (rules, end) => {
    const { futures, alice, bob, carol, dave } = begin(rules);
    futures.place(bob, 'sell', { price: 30_000, quantity: 8 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 8 });
    futures.place(dave, 'sell', { price: 30_000, quantity: 3 });
    futures.place(alice, 'sell', { price: 30_001, quantity: 5, isReduceOnly: true });
    const fok = { price: 30_001, quantity: 5, timeInForce: 'fok' } as const;
    expect(endOf(futures.done(futures.order(carol, 'buy', fok)))).toEqual(end);
  });

  it('a mark that lifts it above the maximum closes no account, and allows only closing trades', () => {
    const { futures, alice, bob, carol } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 10 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 10 });
    futures.setIndex(31_000);
    expect(futures.position(alice).quantity).toBe(10_000);
    futures.place(bob, 'sell', { price: 31_000, quantity: 1 });
    const events = futures.done(futures.order(carol, 'buy', { price: 31_000, quantity: 1 }));
    expect(endOf(events)).toEqual([0, 'open_interest']);
    const accountId = bob;
    futures.done({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
    const closing = futures.done(futures.order(bob, 'buy', { price: 31_000, quantity: 1 }));
    expect(endOf(closing)).toEqual([0, null]);
    futures.place(alice, 'sell', { price: 31_000, quantity: 1 });
    expect(futures.position(bob).quantity).toBe(-9_000);
  });

  it('beyond it a fok fills completely or not at all, whatever closing lots free in between', () => {
    const { futures, alice, bob, carol, dave } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 9 });
    futures.place(dave, 'sell', { price: 30_000, quantity: 1 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 10 });
    futures.setIndex(31_000);
    // At most 9.677 BTC now: once Alice and Dave have closed 1 with each other there is room for
    // 0.677.
    futures.place(alice, 'sell', { price: 31_000, quantity: 1 });
    futures.place(carol, 'sell', { price: 31_010, quantity: 1 });
    const fok = { price: 31_010, timeInForce: 'fok' } as const;
    const whole = futures.done(futures.order(dave, 'buy', { ...fok, quantity: 1.678 }));
    expect(endOf(whole)).toEqual([0, 'time_in_force']);
    const less = futures.done(futures.order(dave, 'buy', { ...fok, quantity: 1.677 }));
    expect(endOf(less)).toEqual([1_677, null]);
  });

  it('position limit: an order beyond what the leverage allows is refused', () => {
    const { futures, alice } = begin();
    // At 125 the first bracket ends at a tenth of the largest notional: 30,000.
    const { marketId } = futures.position(alice);
    futures.done({ type: 'setLeverage', accountId: alice, marketId, leverage: 125 });
    const order = (quantity: number) => futures.order(alice, 'buy', { price: 30_000, quantity });
    expect(futures.refusal(order(1.001))).toBe('position_too_large');
    expect(futures.refusal(order(1))).toBeNull();
    expect(futures.refusal(order(10.001))).toBe('notional_too_large');
  });
});
