import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { isWorse, scanBook, scanLevels, slippageOf, worstPriceWithin } from './scan-book.ts';

const market = { tickLotAmount: toAmount(1_000n) };
const level = (price: number, quantity: number) => ({
  price: price as Ticks,
  quantity: quantity as Lots,
});
const decimal = (text: string): Decimal => parseDecimal(text) as Decimal;
const asks = [level(100, 5), level(110, 5), level(200, 90)];

describe('scanBook', () => {
  it('scanBook: the average of what matching would take, level by level', () => {
    const scan = scanBook(market, asks, { side: 'buy', quantity: 10 as Lots, limit: null });
    expect(scan).toEqual({
      filled: 10,
      quote: (500n + 550n) * 1_000n,
      bestPrice: 100,
      worstPrice: 110,
    });
    expect(slippageOf(market, scan)).toBe(decimal('0.05'));
  });

  it('scanBook: a quantity within the best level has no slippage', () => {
    const scan = scanBook(market, asks, { side: 'buy', quantity: 5 as Lots, limit: null });
    expect(slippageOf(market, scan)).toBe(0n);
    expect(scan.worstPrice).toBe(100);
  });

  it('scanBook: the book ends before the quantity', () => {
    const scan = scanBook(market, asks, { side: 'buy', quantity: 500 as Lots, limit: null });
    expect(scan.filled).toBe(100);
  });

  it('scanBook: a limit price is not exceeded', () => {
    const request = { side: 'buy', quantity: 50 as Lots, limit: 110 as Ticks } as const;
    expect(scanBook(market, asks, request)).toMatchObject({ filled: 10, worstPrice: 110 });
    const below = { ...request, limit: 99 as Ticks };
    expect(scanBook(market, asks, below)).toMatchObject({ filled: 0, bestPrice: null });
  });

  it('slippageOf: a sell slips downwards', () => {
    const bids = [level(100, 5), level(90, 5)];
    const scan = scanBook(market, bids, { side: 'sell', quantity: 10 as Lots, limit: null });
    expect(slippageOf(market, scan)).toBe(decimal('0.05'));
  });

  it('worstPriceWithin: a fraction of the best price, towards it', () => {
    expect(worstPriceWithin('buy', 999 as Ticks, decimal('0.0015'))).toBe(1000);
    expect(worstPriceWithin('sell', 999 as Ticks, decimal('0.0015'))).toBe(998);
    expect(worstPriceWithin('sell', 3 as Ticks, decimal('1'))).toBe(1);
  });

  it('scanBook: never fills more than is available, nor at a worse price than the limit', () => {
    const book = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 12 });
    const limits = fc.option(fc.integer({ min: 90, max: 130 }));
    fc.assert(
      fc.property(book, fc.integer({ min: 1, max: 300 }), limits, (sizes, quantity, limit) => {
        const levels = sizes.map((size, index) => level(100 + 2 * index, size));
        const request = { side: 'buy', quantity: quantity as Lots, limit: limit as Ticks } as const;
        const scan = scanBook(market, levels, request);
        const reachable = levels.filter(({ price }) => limit === null || price <= limit);
        const total = reachable.reduce((sum, each) => sum + each.quantity, 0);
        expect(scan.filled).toBe(Math.min(quantity, total));
        if (scan.worstPrice === null) return;
        if (limit !== null) expect(isWorse('buy', scan.worstPrice, limit as Ticks)).toBe(false);
        const average = Number(scan.quote) / 1_000 / scan.filled;
        expect(average).toBeGreaterThanOrEqual(100);
        expect(average).toBeLessThanOrEqual(scan.worstPrice);
      }),
    );
  });

  it('scanLevels: lists no more of a deep book than the order needs, and 10,000 levels at most', () => {
    const book = Array.from({ length: 20_000 }, (_, index) => level(100 + index, 2));
    const scanOf = (quantity: number) => {
      const listed: number[] = [];
      const scan = scanLevels(
        (levelsMax) => {
          listed.push(levelsMax);
          return book.slice(0, levelsMax);
        },
        (levels) =>
          scanBook(market, levels, { side: 'buy', quantity: quantity as Lots, limit: null }),
      );
      return { listed, filled: scan.filled };
    };
    expect(scanOf(198)).toEqual({ listed: [100], filled: 198 });
    expect(scanOf(201)).toEqual({ listed: [100, 10_000], filled: 201 });
    expect(scanOf(1_000_000)).toEqual({ listed: [100, 10_000], filled: 20_000 });
  });
});
