import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';

// A halt stops what users do to the market, not what prices do to their positions.

function begin(): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 2_500), futures.fund(2, 100_000)];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 1 });
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  return { futures, alice, bob };
}

function setStatus(futures: FuturesFixture, status: 'halted' | 'listed'): void {
  futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status });
}

describe('a halted market', () => {
  it('halted market: orders and amendments are refused, cancels are accepted', () => {
    const { futures, bob } = begin();
    const orderNumber = futures.place(bob, 'sell', { price: 31_000, quantity: 1 });
    setStatus(futures, 'halted');
    const order = futures.order(bob, 'sell', { price: 31_000, quantity: 1 });
    expect(futures.refusal(order)).toBe('market_halted');
    const amendment = {
      orderNumber,
      side: null,
      priceMatch: 'none',
      price: 305_000 as never,
      quantity: 1_000 as never,
      modifyId: null,
    } as const;
    expect(futures.refusal({ type: 'amendFuturesOrder', accountId: bob, ...amendment })).toBe(
      'market_halted',
    );
    expect(futures.refusal({ type: 'cancelFuturesOrder', accountId: bob, orderNumber })).toBeNull();
  });

  it('halted market: triggers wait, and those reached fire when it is listed again', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'buy', { price: 29_000, quantity: 1 });
    futures.place(alice, 'sell', {
      orderType: 'stop_market',
      stopPrice: 29_500,
      quantity: 1,
      isReduceOnly: true,
      triggerPriceKind: 'mark',
    });
    setStatus(futures, 'halted');
    futures.setIndex(29_100);
    futures.advance(1_000);
    expect(futures.position(alice).quantity).toBe(1_000);
    setStatus(futures, 'listed');
    expect(futures.position(alice).quantity).toBe(0);
  });

  it('halted market: funding and liquidations continue', () => {
    const { futures, alice } = begin();
    setStatus(futures, 'halted');
    const events = futures.setIndex(27_000);
    const steps = events.flatMap((event) => {
      return event.type === 'liquidationProgressed' ? [event.step] : [];
    });
    expect(steps).toEqual(['closing', 'deleveraged', 'finished']);
    expect(futures.position(alice).quantity).toBe(0);
    const later = futures.advance(3_600_000);
    expect(later.map(({ type }) => type)).toContain('fundingSettled');
  });
});
