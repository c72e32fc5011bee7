import { expect, test } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { EngineEvent } from '../../events.ts';
import type { FundingSettled } from '../../futures-events.ts';

// Figures that exchanges publish, through the whole engine.
// Kraken, "Inverse Crypto-Collateral Perpetual Contract Specifications", funding rate example 1:
// an index of 7,000 and a perpetual at 7,010 for an hour are an average premium of 0.1428 %; at a
// rate of 0.01785 % for the hour a short position worth 100,000 earns 17.85.
// https://support.kraken.com/hc/en-us/articles/360022835911

const hourMs = 3_600_000;

/** One hour in which the best bid stays at the price; a long and a short hold the quantity. */
function holdForAnHour({ index, bid, quantity }: Record<'index' | 'bid' | 'quantity', number>) {
  const fixture = new FuturesFixture();
  // The hour in which the market was made has other samples: it ends when all is in place.
  fixture.now = Math.ceil(fixture.now / hourMs) * hourMs - 1_000;
  fixture.setIndex(index);
  const long = fixture.fund(1, 1_000_000);
  const short = fixture.fund(2, 1_000_000);
  fixture.place(short, 'sell', { price: bid, quantity });
  fixture.place(long, 'buy', { price: bid, quantity });
  fixture.place(fixture.fund(3, 1_000_000), 'buy', { price: bid, quantity: 1 });
  fixture.advance(1_000);
  const events: EngineEvent[] = [];
  const settled = (): FundingSettled | undefined =>
    events.find((event) => event.type === 'fundingSettled');
  while (settled() === undefined) {
    fixture.setIndex(index);
    events.push(...fixture.advance(1_000));
  }
  const paid = events.flatMap((event) =>
    event.type === 'fundingPaid' ? [[event.accountId, event.amount]] : [],
  );
  return { long, short, rate: settled()?.fundingRate, markPrice: settled()?.markPrice, paid };
}

test('funding: a perpetual at 7,010 over an index of 7,000 has a premium of 0.1428 %', () => {
  const { rate } = holdForAnHour({ index: 7_000, bid: 7_010, quantity: 1 });
  // 0.1428571 %, damped by 0.05 %, an eighth for the hour.
  expect(rate).toBe((1_428_571n - 500_000n) / 8n);
});

test('funding: at 0.01785 % a short position worth 100,000 earns 17.85 and the long pays it', () => {
  // A premium of 0.1928 % makes that rate: (0.1928 % - 0.05 %) / 8.
  const hour = holdForAnHour({ index: 100_000, bid: 100_192.8, quantity: 1 });
  expect(hour.rate).toBe(178_500n);
  expect(hour.markPrice).toBe(100_000n * 10n ** 8n);
  expect(hour.paid).toEqual([
    [hour.long, -1_785_000_000n],
    [hour.short, 1_785_000_000n],
  ]);
});
