import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';

const unit = 10n ** 8n;

/** A market in which 125 times allows 30,000, 15 times 300,000 and more. */
function open(): { readonly futures: FuturesFixture; readonly alice: AccountId } {
  const maxNotional = toAmount(300_000n * unit);
  const maxOpenInterest = toAmount(3_000_000n * unit);
  const futures = new FuturesFixture({ ...btcTerms, maxNotional, maxOpenInterest });
  const alice = futures.fund(1, 25_000);
  futures.setIndex(30_000);
  expect(raise(futures, alice, 15)).toBeNull();
  return { futures, alice };
}

function raise(futures: FuturesFixture, accountId: AccountId, leverage: number): string | null {
  const marketId = futuresMarketId;
  return futures.refusal({ type: 'setLeverage', accountId, marketId, leverage });
}

describe('leverage over resting orders', () => {
  it.each(['buy', 'sell'] as const)('is refused if a %s could open too much for it', (side) => {
    const { futures, alice } = open();
    const order = futures.place(alice, side, { price: 30_000, quantity: 9 });
    expect(raise(futures, alice, 125)).toBe('leverage_out_of_range');
    expect(raise(futures, alice, 12)).toBeNull();
    futures.done({ type: 'cancelFuturesOrder', accountId: alice, orderNumber: order });
    futures.place(alice, side, { price: 30_000, quantity: 1 });
    expect(raise(futures, alice, 125)).toBeNull();
  });

  it('counts with the position: orders that close it add nothing', () => {
    const { futures, alice } = open();
    const bob = futures.fund(2, 400_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.6 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 0.6 });
    futures.place(alice, 'sell', { price: 30_000, quantity: 1.6 });
    expect(raise(futures, alice, 125)).toBeNull();
    futures.place(alice, 'buy', { price: 29_000, quantity: 0.4 });
    expect(raise(futures, alice, 124)).toBeNull();
    expect(raise(futures, alice, 15)).toBeNull();
    futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    expect(raise(futures, alice, 125)).toBe('leverage_out_of_range');
  });
});
