import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';

// An account between two thirds of its maintenance margin and all of it is sold in slices. A lot is
// 0.001 BTC.

const unit = 10n ** 8n;

interface Story {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  readonly bob: AccountId;
  readonly carol: AccountId;
}

/** Alice is long 0.9 BTC from 30,000; her wallet is 1,486.5. */
function begin(): Story {
  const futures = new FuturesFixture();
  const [alice, bob, carol] = [
    futures.fund(1, 1_500),
    futures.fund(2, 10_000),
    futures.fund(3, 100_000),
  ];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  return { futures, alice, bob, carol };
}

function stepsOf(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    return event.type === 'liquidationProgressed' ? [`${event.stage} ${event.step}`] : [];
  });
}

function fundOf({ futures }: Story): string {
  return formatAmount(futures.engine.futures.insuranceFund);
}

function held({ futures, alice }: Story): number {
  return futures.position(alice).quantity;
}

describe('the book stage of a close-out', () => {
  it('slice: 27.8 % of 3,000,000 with 20,000 of equity is sold, not all of it', () => {
    const maxNotional = toAmount(10_000_000n * unit);
    const futures = new FuturesFixture({ ...btcTerms, maxNotional });
    const [alice, bob, carol] = [
      futures.fund(1, 121_550),
      futures.fund(2, 1_000_000),
      futures.fund(3, 1_000_000),
    ];
    futures.done({
      type: 'setLeverage',
      accountId: alice,
      marketId: futuresMarketId,
      leverage: 30,
    });
    futures.setIndex(31_000);
    futures.place(bob, 'sell', { price: 31_000, quantity: 100 });
    futures.place(alice, 'buy', { price: 31_000, quantity: 100 });
    futures.place(carol, 'buy', { price: 30_000, quantity: 100 });
    const events = futures.setIndex(30_000);
    expect(stepsOf(events)).toEqual(['book closing', 'book finished']);
    expect(futures.position(alice).quantity).toBe(100_000 - 27_778);
    // 0.4 % of 833,340, and 5/4 of a maintenance margin of 13,333.28.
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('3333.36');
    expect(formatAmount(futures.wallet(alice).equity)).toBe('16666.64');
    expect(formatAmount(futures.wallet(alice).maintenanceMargin)).toBe('13333.28');
  });

  it('slice: no fewer than 243 lots of 0.9 BTC at 28,460 are enough', () => {
    const story = begin();
    const { futures, alice, carol } = story;
    futures.place(carol, 'buy', { price: 28_460, quantity: 0.9 });
    const events = futures.setIndex(28_460);
    expect(stepsOf(events)).toEqual(['book closing', 'book finished']);
    expect(held(story)).toBe(900 - 243);
    expect(fundOf(story)).toBe('6.91578');
    expect(formatAmount(futures.wallet(alice).equity)).toBe('93.58422');
    expect(formatAmount(futures.wallet(alice).maintenanceMargin)).toBe('74.79288');
  });

  it('slice: one a second, each at least a fifth, at a price that its equity can pay', () => {
    const story = begin();
    const { futures, carol } = story;
    futures.place(carol, 'buy', { price: 28_460, quantity: 0.1 });
    // Under the bankruptcy price of 28,348.4 nothing is sold.
    futures.place(carol, 'buy', { price: 28_348, quantity: 0.8 });
    expect(stepsOf(futures.setIndex(28_460))).toEqual(['book closing']);
    expect(held(story)).toBe(800);
    futures.place(carol, 'buy', { price: 28_460, quantity: 0.8 });
    futures.advance(999);
    expect(held(story)).toBe(800);
    // Three lots would be few enough now.
    expect(stepsOf(futures.advance(1))).toEqual(['book closing', 'book finished']);
    expect(held(story)).toBe(800 - 160);
  });

  it('others trade and withdraw in the meantime; the account can reduce and deposit', () => {
    const story = begin();
    const { futures, alice, bob, carol } = story;
    futures.setIndex(28_460);
    expect(futures.wallet(bob).withdrawable).toBeGreaterThan(0n);
    expect(futures.wallet(alice).withdrawable).toBe(0n);
    futures.place(carol, 'buy', { price: 28_450, quantity: 0.01 });
    const refused = 'account_in_liquidation';
    expect(futures.refusal(futures.order(alice, 'buy', { quantity: 0.01 }))).toBe(refused);
    expect(futures.refusal(futures.order(alice, 'sell', { quantity: 0.01 }))).toBe(refused);
    futures.place(alice, 'sell', { quantity: 0.01, isReduceOnly: true });
    expect(held(story)).toBe(890);
    futures.fund(1, 30);
    expect(futures.refusal(futures.order(alice, 'sell', { quantity: 0.01 }))).toBeNull();
    expect(stepsOf(futures.advance(1_000))).toEqual([]);
  });

  it('final stage: at two thirds of the maintenance margin everything is closed', () => {
    const story = begin();
    const { futures } = story;
    futures.setIndex(28_460);
    expect(held(story)).toBe(900);
    // Equity 70.5 over two thirds of 102.33, then 64.5 under two thirds of 102.31.
    expect(stepsOf(futures.setIndex(28_427))).toEqual([]);
    const events = futures.setIndex(28_420);
    expect(stepsOf(events)).toEqual(['final closing', 'final deleveraged', 'final finished']);
    expect(held(story)).toBe(0);
  });

  it('restored: the book stage continues with its next slice when that is due', () => {
    const story = begin();
    const { futures, carol } = story;
    futures.setIndex(28_460);
    const hash = futures.engine.stateHash();
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(futures.engine.stateHash()).toBe(hash);
    futures.place(carol, 'buy', { price: 28_460, quantity: 0.9 });
    futures.advance(500);
    expect(held(story)).toBe(900);
    futures.advance(500);
    expect(held(story)).toBe(900 - 243);
  });

  it('orders: at most 256 of the account end in one command, and its markets settle in the meantime', () => {
    const story = begin();
    const { futures, alice, carol } = story;
    futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'NEWUSDT' } });
    const price = toAmount(10_000n * unit);
    futures.done({ type: 'setIndexPrice', symbol: 'NEWUSDT', price });
    for (let count = 0; count < 200; count += 1) {
      const marketId = 1 as FuturesMarketId;
      const stop = { orderType: 'stop_market', stopPrice: 40_000, quantity: 0.001 } as const;
      futures.place(alice, 'buy', stop);
      futures.place(alice, 'buy', { ...stop, marketId });
    }
    const events = futures.setIndex(28_460);
    const ended = events.filter((event) => {
      return event.type === 'futuresOrderUpdated' && event.end === 'liquidation';
    });
    expect(ended).toHaveLength(256);
    expect(events.map(({ type }) => type)).toContain('timedWorkDue');
    const order = futures.order(carol, 'buy', { price: 28_000, quantity: 0.1 });
    expect(futures.refusal(order)).toBe('market_settling');
    expect(stepsOf(futures.advance(0))).toEqual(['orders orders_canceled', 'book closing']);
    expect(futures.refusal(order)).toBeNull();
  });
});
