import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { EngineEvent } from '../../events.ts';

const unit = 10n ** 8n;

/** What became of an order, and in how many trades. */
function endOf(events: readonly EngineEvent[]): readonly [number, string | null | undefined] {
  const trades = events.filter(({ type }) => type === 'futuresTradeExecuted').length;
  const ends = events.flatMap((event) =>
    event.type === 'futuresOrderUpdated' && event.cause === 'expired' ? event.end : [],
  );
  return [trades, ends.at(-1)];
}

/** Accounts at 125 times, and a price of 30,000. */
function fund(...usdt: readonly number[]): {
  readonly futures: FuturesFixture;
  readonly accounts: readonly AccountId[];
} {
  const futures = new FuturesFixture();
  const accounts = usdt.map((amount, at) => futures.fund(at + 1, amount));
  futures.setIndex(30_000);
  const leverage = { type: 'setLeverage', marketId: futuresMarketId, leverage: 125 } as const;
  for (const accountId of accounts) futures.done({ ...leverage, accountId });
  return { futures, accounts };
}

describe('fill-or-kill', () => {
  // 4,000 would pay for a loss of 30,000 at once, which the other account has won.
  it('money: behind an own order in front of the book it costs no more than its account has', () => {
    const { futures, accounts } = fund(4_000, 10_000);
    const [alice, bob] = accounts as [AccountId, AccountId];
    futures.place(alice, 'sell', { price: 30_000, quantity: 10 });
    futures.place(bob, 'sell', { price: 33_000, quantity: 10 });
    const timeInForce = 'fok';
    const selfTradeMode = 'expire_maker';
    const terms = { price: 33_000, quantity: 10, timeInForce, selfTradeMode } as const;
    expect(endOf(futures.done(futures.order(alice, 'buy', terms)))).toEqual([0, 'margin']);
    expect(futures.wallet(alice).equity).toBe(4_000n * unit);
    expect(futures.position(bob).quantity).toBe(0);
  });

  // E is 2,985: the loss of 2,985 leaves nothing for the fee of 13.5075.
  it('money: an order that reduces leaves enough for its fee', () => {
    const { futures, accounts } = fund(3_000, 50_000);
    const [alice, bob] = accounts as [AccountId, AccountId];
    futures.place(bob, 'sell', { price: 30_000, quantity: 1 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
    expect(futures.wallet(alice).equity).toBe(2_985n * unit);
    futures.place(bob, 'buy', { price: 27_015, quantity: 1 });
    const reduce = { quantity: 1, timeInForce: 'fok', isReduceOnly: true } as const;
    const short = futures.order(alice, 'sell', { ...reduce, price: 27_015 });
    expect(endOf(futures.done(short))).toEqual([0, 'margin']);
    futures.place(bob, 'buy', { price: 27_028.6, quantity: 1 });
    const enough = futures.order(alice, 'sell', { ...reduce, price: 27_028.6 });
    expect(endOf(futures.done(enough))).toEqual([1, undefined]);
    expect(futures.wallet(alice).equity).toBe(8_570_000n);
  });

  it('is judged by what all its trades cost together, not by the worst of them', () => {
    const { futures, accounts } = fund(3_000, 10_000);
    const [alice, bob] = accounts as [AccountId, AccountId];
    futures.place(bob, 'sell', { price: 30_000, quantity: 5 });
    futures.place(bob, 'sell', { price: 31_000, quantity: 1 });
    // 6 at 31,000 would lose 6,000; these lose 1,000.
    const terms = { price: 31_000, quantity: 6, timeInForce: 'fok' } as const;
    expect(endOf(futures.done(futures.order(alice, 'buy', terms)))).toEqual([2, undefined]);
  });
});
