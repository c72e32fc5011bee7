import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../domain/spot-market.ts';
import { RecentPrices, usualHoursMin } from './recent-prices.ts';

const usdt = { quoteToken: 'USDT' };
const eur = { quoteToken: 'EUR' };
const hourMs = 3_600_000;

/** Adds a trade in the hour, and returns the price at which its fee counts. */
function trade(prices: RecentPrices, hour: number, price: number, market = usdt): number {
  prices.add(hour * hourMs, price as Ticks);
  return prices.countedPrice(market, price as Ticks);
}

function traded(hours: number, price: number): RecentPrices {
  const prices = new RecentPrices();
  for (let hour = 0; hour < hours; hour += 1) trade(prices, hour, price);
  return prices;
}

describe('RecentPrices', () => {
  it('countedPrice: the price of the trade, while it is at most twice the usual one', () => {
    const prices = traded(usualHoursMin, 1_000);
    expect(trade(prices, usualHoursMin, 2_000)).toBe(2_000);
    expect(trade(prices, usualHoursMin + 1, 500)).toBe(500);
    expect(trade(prices, usualHoursMin + 2, 1_001)).toBe(1_001);
  });

  it('countedPrice: the price of the trade, while the market has traded in few hours', () => {
    const prices = new RecentPrices();
    for (let hour = 0; hour < usualHoursMin - 1; hour += 1) {
      expect(trade(prices, hour, 1)).toBe(1);
      expect(trade(prices, hour, 1_000)).toBe(1_000);
    }
    expect(trade(prices, usualHoursMin - 1, 1_000)).toBe(2);
  });

  it('countedPrice: a price far from the usual one counts twice, however often it is paid', () => {
    const prices = traded(24, 1_000);
    for (let hour = 24; hour < 36; hour += 1) {
      for (let again = 0; again < 3; again += 1) {
        expect(trade(prices, hour, 1_000_000)).toBe(2_000);
      }
    }
  });

  it('countedPrice: one trade at next to nothing takes nothing from the others', () => {
    const prices = traded(usualHoursMin, 1_000);
    expect(trade(prices, usualHoursMin, 1)).toBe(1);
    expect(trade(prices, usualHoursMin, 1_000)).toBe(1_000);
  });

  it('countedPrice: if USDT is the base token, a low price makes the fee worth more', () => {
    const prices = traded(24, 1_000);
    expect(trade(prices, 24, 1, eur)).toBe(500);
    expect(trade(prices, 24, 1_000, eur)).toBe(1_000);
    expect(trade(prices, 24, 1_000_000, eur)).toBe(1_000_000);
  });

  it('is the same from its hours at any point on', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 10_000 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 80 }), fc.nat(79), (steps, cut) => {
        const whole = new RecentPrices();
        const hours = new Map<number, { hour: number; low: number; high: number }>();
        let resumed: RecentPrices | null = null;
        let hour = 0;
        for (const [index, [pause, price]] of steps.entries()) {
          hour += pause;
          if (index === cut) resumed = new RecentPrices([...hours.values()].slice(-24));
          const { low, high } = hours.get(hour) ?? { low: price, high: price };
          hours.set(hour, { hour, low: Math.min(low, price), high: Math.max(high, price) });
          const counted = trade(whole, hour, price);
          if (resumed !== null) expect(trade(resumed, hour, price)).toBe(counted);
        }
      }),
    );
  });
});
