import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';

const otherMarket = 1 as FuturesMarketId;

/** An account with 1,000 USDT that holds 0.9 BTC at the given leverage, with no buyers. */
function begin(leverage: number) {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000_000)];
  const refusal = (times: number, marketId = futuresMarketId) =>
    futures.refusal({ type: 'setLeverage', accountId: alice, marketId, leverage: times });
  futures.setIndex(30_000);
  expect(refusal(leverage)).toBeNull();
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { price: 30_000, quantity: 0.9 });
  return { futures, refusal };
}

describe('setLeverage', () => {
  it('is refused in an unknown market, beyond its bounds, and while the account is closed', () => {
    const { futures, refusal } = begin(125);
    expect(refusal(2, otherMarket)).toBe('market_not_found');
    for (const leverage of [0, 1.5, 126]) expect(refusal(leverage)).toBe('leverage_out_of_range');
    // Equity of 86.5 against a maintenance margin of 104.4.
    futures.setIndex(29_000);
    expect(refusal(125)).toBe('account_in_liquidation');
  });

  it('is refused if the margin of a position would not suffice, but not without a position', () => {
    const { futures, refusal } = begin(30);
    expect(refusal(1)).toBe('insufficient_margin');
    expect(refusal(125)).toBeNull();
    expect(refusal(30)).toBeNull();
    futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'ETHUSDT' } });
    expect(refusal(1, otherMarket)).toBeNull();
    // Equity of 536.5, of which the position needs 885.
    futures.setIndex(29_500);
    expect(refusal(29)).toBe('insufficient_margin');
    expect(refusal(2, otherMarket)).toBeNull();
  });

  it('may need all that the account has, and is reported', () => {
    const futures = new FuturesFixture();
    const accountId = futures.fund(1, 1_000);
    const command = { type: 'setLeverage', accountId, marketId: futuresMarketId } as const;
    futures.setIndex(20_000);
    futures.done({ ...command, leverage: 125 });
    futures.place(accountId, 'buy', { price: 20_000, quantity: 1 });
    expect(futures.refusal({ ...command, leverage: 19 })).toBe('insufficient_margin');
    const { type, ...change } = { ...command, leverage: 20 };
    expect(futures.done({ type, ...change })).toContainEqual({
      type: 'leverageChanged',
      ...change,
    });
  });
});
