import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { breakEvenNotional } from '../../../domain/futures-position.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';

// Fees are 2 bps for the maker and 5 bps for the taker. A price is the notional over the quantity.

function begin(): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  return { futures, alice, bob };
}

function breakEven(futures: FuturesFixture, accountId: AccountId): string {
  return formatAmount(breakEvenNotional(futures.position(accountId)));
}

describe('break-even', () => {
  it('break-even: the entry with the fee that was paid for it, above it for a long', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { quantity: 0.1 });
    expect(breakEven(futures, alice)).toBe('3001.5');
    // The maker is short: it has to buy back below its own sales.
    expect(breakEven(futures, bob)).toBe('2999.4');
  });

  it('break-even: what a part has realized, less its fee, moves the rest', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.2 });
    futures.place(alice, 'buy', { quantity: 0.2 });
    futures.place(bob, 'buy', { price: 30_300, quantity: 0.1 });
    futures.place(alice, 'sell', { quantity: 0.1 });
    // 6,000 + 3 + 1.515 of fees were spent and 3,030 came back.
    expect(breakEven(futures, alice)).toBe('2974.515');
    const position = futures.position(alice);
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(futures.position(alice)).toEqual(position);
  });

  it('break-even: a position reversed by a trade bears its own part of the fee', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { quantity: 0.1 });
    futures.place(bob, 'buy', { price: 30_000, quantity: 0.3 });
    futures.place(alice, 'sell', { quantity: 0.3 });
    // Short 0.2: sold for 6,000, less two thirds of a fee of 4.5.
    expect(breakEven(futures, alice)).toBe('5997');
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.2 });
    futures.place(alice, 'buy', { quantity: 0.2 });
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { quantity: 0.1 });
    // Closed and opened again: earlier trades no longer count.
    expect(breakEven(futures, alice)).toBe('3001.5');
  });

  it('break-even: it is never below zero', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.2 });
    futures.place(alice, 'buy', { quantity: 0.2 });
    const position = futures.position(alice);
    const gained = { ...position, realizedProfit: position.entryNotional };
    expect(formatAmount(breakEvenNotional(gained))).toBe('3');
    const more = (position.entryNotional * 2n) as typeof position.entryNotional;
    expect(breakEvenNotional({ ...position, realizedProfit: more })).toBe(0n);
  });
});
