import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import type { FuturesMarketId } from '../../../domain/identifiers.ts';

const unknownMarket = 7 as FuturesMarketId;

describe('setLeverage', () => {
  it('is refused in an unknown market, beyond its bounds, and while the account is closed', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000_000)];
    const refusal = (leverage: number, marketId = futuresMarketId) =>
      futures.refusal({ type: 'setLeverage', accountId: alice, marketId, leverage });
    expect(refusal(2, unknownMarket)).toBe('market_not_found');
    for (const leverage of [0, 1.5, 126]) expect(refusal(leverage)).toBe('leverage_out_of_range');
    expect(refusal(1)).toBeNull();
    expect(refusal(125)).toBeNull();
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 0.9 });
    expect(refusal(100)).toBeNull();
    // Equity of 86.5 against a maintenance margin of 104.4, and nobody buys.
    futures.setIndex(29_000);
    expect(refusal(125)).toBe('account_in_liquidation');
  });
});
