import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import type { Ticks } from '../../../domain/spot-market.ts';

const stopLoss = { stopPrice: 290_000 as Ticks, triggerPriceKind: 'contract' as const };

/** Buys 2 of which 1 is filled, with a stop-loss. */
function begin(goodTill: number | null): {
  futures: FuturesFixture;
  buyer: AccountId;
  maker: AccountId;
} {
  const futures = new FuturesFixture();
  const [buyer, maker] = [futures.fund(1, 100_000), futures.fund(2, 100_000)];
  futures.setIndex(30_000);
  futures.place(maker, 'sell', { price: 30_000, quantity: 1 });
  futures.place(buyer, 'buy', {
    price: 30_000,
    quantity: 2,
    stopLoss,
    ...(goodTill === null
      ? {}
      : { timeInForce: 'gtd' as const, goodTill: (futures.now + goodTill) as TimestampMs }),
  });
  return { futures, buyer, maker };
}

/** Sells what was filled to a bid above the account's own. */
function close(futures: FuturesFixture, buyer: AccountId, maker: AccountId): void {
  futures.place(maker, 'buy', { price: 30_005, quantity: 1 });
  futures.place(buyer, 'sell', { price: 30_005, quantity: 1 });
  expect(futures.position(buyer).quantity).toBe(0);
}

function openOrders(futures: FuturesFixture, accountId: AccountId): readonly string[] {
  return futures.engine.futures.listOpenFuturesOrders(accountId, null).map(({ type }) => type);
}

describe('attached orders', () => {
  it('attached: a parent filled in part expires while the account is flat: none is left', () => {
    const { futures, buyer, maker } = begin(1_000);
    close(futures, buyer, maker);
    expect(openOrders(futures, buyer)).toEqual(['limit', 'stop_market']);
    futures.setIndex(30_000);
    futures.advance(1_000);
    expect(openOrders(futures, buyer)).toEqual([]);
  });

  it('attached: a parent ended by self-trade prevention while the account is flat: none is left', () => {
    const { futures, buyer, maker } = begin(null);
    close(futures, buyer, maker);
    expect(openOrders(futures, buyer)).toEqual(['limit', 'stop_market']);
    futures.place(buyer, 'sell', {
      price: 30_000,
      quantity: 0.5,
      timeInForce: 'ioc',
      selfTradeMode: 'expire_maker',
    });
    expect(openOrders(futures, buyer)).toEqual([]);
  });

  it('attached: an order that protects a long ends when one trade reverses it into a short', () => {
    const futures = new FuturesFixture();
    const [buyer, maker] = [futures.fund(1, 100_000), futures.fund(2, 100_000)];
    futures.setIndex(30_000);
    futures.place(maker, 'sell', { price: 30_000, quantity: 1 });
    futures.place(buyer, 'buy', { price: 30_000, quantity: 1, stopLoss });
    futures.place(maker, 'buy', { price: 30_000, quantity: 2 });
    futures.place(buyer, 'sell', { quantity: 2 });
    expect(futures.position(buyer).quantity).toBe(-1_000);
    expect(openOrders(futures, buyer)).toEqual([]);
  });

  it('attached: what a parent has filled stays protected while the account holds it', () => {
    const { futures, buyer } = begin(1_000);
    futures.setIndex(30_000);
    futures.advance(1_000);
    expect(futures.position(buyer).quantity).toBe(1_000);
    expect(openOrders(futures, buyer)).toEqual(['stop_market']);
  });
});
