import { expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';

const unit = 10n ** 8n;

it('clearing: b sells 0.9 BTC at 30,000 to a, and buys them back from c at 20,000', () => {
  const futures = new FuturesFixture();
  const [a, b, c] = [futures.fund(1, 100_000), futures.fund(2, 100_000), futures.fund(3, 100_000)];
  const clearing = () => futures.engine.futures.getClearing(futuresMarketId);
  const entry = (accountId: typeof a) => {
    const { quantity, entryNotional } = futures.position(accountId);
    return quantity > 0 ? entryNotional : 0n - entryNotional;
  };
  futures.setIndex(30_000);
  futures.place(b, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(a, 'buy', { price: 30_000, quantity: 0.9 });
  expect([entry(a), entry(b), clearing()]).toEqual([27_000n * unit, -27_000n * unit, 0n]);
  futures.setIndex(20_000);
  const { walletBalance } = futures.wallet(b);
  futures.place(c, 'sell', { price: 20_000, quantity: 0.9 });
  futures.place(b, 'buy', { price: 20_000, quantity: 0.9 });
  // The taker's fee of 5 bps on 18,000 is 9.
  expect(futures.wallet(b).walletBalance - walletBalance).toBe((9_000n - 9n) * unit);
  expect([entry(a), entry(b), entry(c)]).toEqual([27_000n * unit, 0n, -18_000n * unit]);
  expect(clearing()).toBe(-9_000n * unit);
  expect(clearing() + entry(a) + entry(b) + entry(c)).toBe(0n);
});
