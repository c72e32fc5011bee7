import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { fundingRate } from './funding-rate.ts';

// The formula is Binance's: premium + clamp(interest 0.01 % - premium, -0.05 %, 0.05 %) for eight
// hours, of which every hour pays an eighth. All figures in 10^-9.

const cap = 3_000_000n;
const perHour = 8n;

describe('fundingRate', () => {
  it.each([
    ['no premium pays the interest of 0.01 %', 0n, 100_000n],
    ['a premium of 0.04 % is damped to the interest', 400_000n, 100_000n],
    ['a premium of -0.04 % is damped to the interest', -400_000n, 100_000n],
    ['a premium of 0.06 % is just damped', 600_000n, 100_000n],
    ['a premium of 0.2 % pays 0.15 %', 2_000_000n, 1_500_000n],
    ['a premium of -0.2 % receives 0.15 %', -2_000_000n, -1_500_000n],
  ])('fundingRate: %s', (_name, premium, eightHours) => {
    expect(fundingRate(premium, cap)).toBe(eightHours / perHour);
  });

  it('fundingRate: never exceeds the cap in either direction', () => {
    expect(fundingRate(100_000_000n, cap)).toBe(cap);
    expect(fundingRate(-100_000_000n, cap)).toBe(0n - cap);
  });
});

const hourMs = 3_600_000;
/** What the interest alone costs in an hour. */
const interest = 12_500n;

/** At the beginning of an hour, with a position and no premium. */
function begin(): FuturesFixture {
  const futures = new FuturesFixture({ ...btcTerms, indexJumpBps: 1_000 });
  futures.now = Math.ceil(futures.now / hourMs) * hourMs;
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 1 });
  futures.place(long, 'buy', { quantity: 1 });
  return futures;
}

/** The rate and the payments of the hour's end. */
function endHour(futures: FuturesFixture): unknown[] {
  const leftMs = Math.ceil(futures.now / hourMs) * hourMs - futures.now;
  return futures.advance(leftMs).flatMap((event): unknown[] => {
    if (event.type === 'fundingSettled') return [event.fundingRate];
    return event.type === 'fundingPaid' ? [formatAmount(event.amount)] : [];
  });
}

const estimate = (futures: FuturesFixture) =>
  futures.engine.futures.getFuturesPrices(futuresMarketId).fundingRate;

describe('samples of an hour', () => {
  it('samples: an hour with 1,799 of them charges nothing, and is reported with rate 0', () => {
    // The push at the beginning takes the first one.
    const futures = begin();
    futures.watch(1_798);
    expect(estimate(futures)).toBe(interest);
    expect(endHour(futures)).toEqual([0n]);
  });

  it('samples: an hour with 1,800 of them charges its rate', () => {
    const futures = begin();
    futures.watch(1_799);
    expect(endHour(futures)).toEqual([interest, '-0.375', '0.375']);
  });

  it('samples: the estimate is 0 once an hour cannot have enough of them', () => {
    const futures = begin();
    // Of 101 samples; with one at the beginning of each of the seconds left, 1,698 give 1,800.
    futures.watch(100);
    futures.advance(1_802_000);
    expect(estimate(futures)).toBe(interest);
    futures.advance(1);
    expect(estimate(futures)).toBe(0n);
  });

  it('samples: a stale price takes none', () => {
    const futures = begin();
    futures.watch(1_500);
    // 60 seconds more are fresh, and 1,500 are not.
    for (let second = 0; second < 1_560; second += 1) futures.advance(1_000);
    expect(endHour(futures)).toEqual([0n]);
  });

  it('samples: a held price takes none', () => {
    const futures = begin();
    futures.watch(1_500);
    futures.setIndex(20_000);
    for (let second = 0; second < 1_000; second += 1) {
      futures.advance(1_000);
      // Each push is far from the one before, so none confirms another.
      if (second % 30 === 0) futures.setIndex(second % 60 === 0 ? 15_000 : 20_000);
    }
    expect(endHour(futures)).toEqual([0n]);
  });
});
