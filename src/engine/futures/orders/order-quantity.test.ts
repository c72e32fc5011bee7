import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// The gateway refuses such quantities; the engine refuses them from any sender.

const [alice, bob] = [1, 2] as [AccountId, AccountId];

function begin(rules: Rules = rulesVersion) {
  const futures = new FuturesFixture(btcTerms, rules);
  futures.fund(alice, 10_000);
  futures.fund(bob, 10_000);
  futures.setIndex(30_000);
  return futures;
}

const wrong = [0, -1, 0.5, 2 ** 53, Number.NaN];

describe('the quantity of a perpetual order', () => {
  it.each(wrong)('%d lots are refused, and nothing changes', (lots) => {
    const futures = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    const before = futures.wallet(alice);
    const order = { ...futures.order(alice, 'buy', { price: 30_000 }), quantity: lots as Lots };
    expect(futures.refusal(order)).toBe('quantity_off_lot');
    expect(futures.refusal({ ...order, isReduceOnly: true })).toBe('quantity_off_lot');
    expect(futures.wallet(alice)).toEqual(before);
    expect(futures.position(alice).quantity).toBe(0);
    expect(futures.engine.futures.listOpenFuturesOrders(alice, futuresMarketId)).toEqual([]);
  });

  it('only an order that closes its whole position has none', () => {
    const futures = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 0.1 });
    const stop = futures.order(alice, 'sell', {
      orderType: 'stop_market',
      stopPrice: 29_000,
      timeInForce: 'gtc',
    });
    expect(futures.refusal(stop)).toBe('quantity_off_lot');
    expect(futures.refusal({ ...stop, isClosePosition: true })).toBeNull();
  });

  it.each(wrong)('an order is not amended to %d lots', (lots) => {
    const futures = begin();
    const orderNumber = futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    const reason = futures.refusal({
      type: 'amendFuturesOrder',
      accountId: alice,
      orderNumber,
      price: 290_000 as Ticks,
      priceMatch: 'none',
      quantity: lots as Lots,
      side: null,
      modifyId: null,
    });
    expect(reason).toBe('quantity_off_lot');
    const [order] = futures.engine.futures.listOpenFuturesOrders(alice, futuresMarketId);
    expect(order?.quantity).toBe(100);
  });
});
