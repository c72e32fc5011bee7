import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { EngineEvent } from '../../events.ts';

// Alice is long 1 BTC from 30,000 with 1,500 USDT, of which 15 went into the fee.

function begin(): { futures: FuturesFixture; alice: AccountId; bob: AccountId; carol: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob, carol] = [
    futures.fund(1, 1_500),
    futures.fund(2, 10_000),
    futures.fund(3, 100_000),
  ];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 1 });
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  return { futures, alice, bob, carol };
}

function stepsOf(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'liquidationProgressed' ? [event.step] : []));
}

function pricesOf(events: readonly EngineEvent[]): readonly number[] {
  return events.flatMap((event) => {
    return event.type === 'futuresTradeExecuted' ? [event.trade.price / 10] : [];
  });
}

describe('liquidateAccount', () => {
  it('liquidation: on the book, at the bankruptcy price or better; a fee for the fund', () => {
    const { futures, alice, carol } = begin();
    futures.place(carol, 'buy', { price: 28_590, quantity: 1 });
    const events = futures.setIndex(28_590);
    expect(stepsOf(events)).toEqual(['closing', 'finished']);
    expect(pricesOf(events)).toEqual([28_590]);
    // 1,485 less a loss of 1,410 are 75, less than 1.25 % of 28,590.
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('0');
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('75');
  });

  it('liquidation: without a book the other side gives up its position at the bankruptcy price', () => {
    const { futures, alice, bob } = begin();
    const events = futures.setIndex(28_000);
    expect(stepsOf(events)).toEqual(['closing', 'deleveraged', 'finished']);
    // 30,000 less the 1,485 that Alice had.
    expect(pricesOf(events)).toEqual([28_515]);
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('0');
    expect([futures.position(alice).quantity, futures.position(bob).quantity]).toEqual([0, 0]);
    // 10,000 less a maker's fee of 6, and 1,485 of profit.
    expect(formatAmount(futures.wallet(bob).walletBalance)).toBe('11479');
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('0');
  });

  it('liquidation: the fund pays what the book is worse than the bankruptcy price, a quarter of it at most', () => {
    const { futures, alice, carol } = begin();
    const dave = futures.fund(4, 1_500);
    futures.fund(1, 500);
    futures.place(carol, 'sell', { price: 30_000, quantity: 1 });
    futures.place(dave, 'buy', { price: 30_000, quantity: 1 });
    // Dave is closed at the mark, and leaves 75 in the fund.
    futures.setIndex(28_590);
    expect(futures.position(dave).quantity).toBe(0);
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('75');
    // Alice has 1,985: bankrupt at 28,015, and the book offers 28,000 at a mark of 28,000.
    futures.place(carol, 'buy', { price: 28_000, quantity: 1 });
    const events = futures.setIndex(28_000);
    expect(stepsOf(events)).toEqual(['closing', 'insurance_used', 'finished']);
    expect(pricesOf(events)).toEqual([28_000]);
    expect(formatAmount(futures.engine.futures.insuranceFund)).toBe('60');
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('0');
  });
});
