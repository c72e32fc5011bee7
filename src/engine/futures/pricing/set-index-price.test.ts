import { expect, test } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';

function refusalAt(fixture: FuturesFixture, usdt: bigint): string | null {
  const price = toAmount(usdt * 10n ** 8n);
  return fixture.refusal({ type: 'setIndexPrice', symbol: 'BTCUSDT', price });
}

test('setIndexPrice: prices far above any earlier one are accepted', () => {
  const fixture = new FuturesFixture();
  expect(refusalAt(fixture, 100_000n)).toBeNull();
  expect(refusalAt(fixture, 46_000_000n)).toBeNull();
  expect(refusalAt(fixture, 47_000_000n)).toBe('amount_out_of_range');
});

test('setIndexPrice: no price makes positions worth more than can be counted', () => {
  const fixture = new FuturesFixture();
  fixture.setIndex(1_000);
  for (const [number, side] of [
    [1, 'sell'],
    [2, 'buy'],
  ] as const) {
    fixture.place(fixture.fund(number, 1_000_000_000), side, { price: 1_000, quantity: 1_000 });
  }
  // 1,000 BTC at 9.2 million USDT are 9.2 billion.
  expect(refusalAt(fixture, 9_300_000n)).toBe('amount_out_of_range');
  expect(refusalAt(fixture, 9_200_000n)).toBeNull();
});

test('setIndexPrice: a jump by the limit is taken at once, and one beyond it is held', () => {
  const fixture = new FuturesFixture({ ...btcTerms, indexJumpBps: 1_000 });
  const index = () => fixture.engine.futures.getFuturesPrices(futuresMarketId).indexPrice;
  fixture.setIndex(30_000);
  fixture.setIndex(33_000);
  expect(index()).toBe(33_000n * 10n ** 8n);
  fixture.setIndex(36_301);
  expect(index()).toBe(33_000n * 10n ** 8n);
});
