import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax } from '../../../domain/amount.ts';
import type { Rate } from '../../../domain/futures-market.ts';
import { feeOf } from './fee-rates.ts';

const rateUnit = 1_000_000_000n;

describe('feeOf', () => {
  it('feeOf: is quote x rate rounded up, for any order that a market takes', () => {
    const quotes = fc.bigInt({ min: 0n, max: amountMax / 100n });
    const rates = fc.bigInt({ min: 0n, max: rateUnit });
    fc.assert(
      fc.property(quotes, rates, (quote, rate) => {
        expect(feeOf(quote, rate as Rate)).toBe((quote * rate + rateUnit - 1n) / rateUnit);
      }),
    );
  });
});
