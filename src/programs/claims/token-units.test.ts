import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { amountFromRaw, cutForToken, rawFromAmount } from './token-units.ts';

const decimal = (text: string): Decimal => parseDecimal(text) as Decimal;

describe('token units', () => {
  it.each([
    [1_999_999_999_999_999_999n, 18, 199_999_999n],
    [9_999_999_999n, 18, 0n],
    [10_000_000_000n, 18, 1n],
    [1_500_001n, 6, 150_000_100n],
    [7n, 8, 7n],
    [3n, 0, 300_000_000n],
  ])('amountFromRaw: %d units of a token with %d decimals are %d', (raw, decimals, amount) => {
    expect(amountFromRaw(raw, decimals)).toBe(amount);
  });

  it.each([
    ['1.123456789012345678', 18, 112_345_678n],
    ['1.1234567', 6, 112_345_600n],
    ['0.0000001', 6, 0n],
    ['2.5', 0, 200_000_000n],
    ['-1.19', 1, -110_000_000n],
  ])('cutForToken: %s of a token with %d decimals is %d', (text, decimals, amount) => {
    expect(cutForToken(decimal(text), decimals)).toBe(amount);
  });

  it('token units: a deposit withdrawn again is never larger, and no unit is lost twice', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 90n }), fc.nat({ max: 24 }), (raw, decimals) => {
        const credited = amountFromRaw(raw, decimals);
        const paid = rawFromAmount(credited, decimals);
        expect(paid).toBeLessThanOrEqual(raw);
        expect(raw - paid).toBeLessThan(10n ** BigInt(Math.max(0, decimals - 8)));
        expect(amountFromRaw(paid, decimals)).toBe(credited);
      }),
    );
  });

  it('rawFromAmount: an amount that the token cannot hold is a bug', () => {
    expect(() => rawFromAmount(toAmount(1n), 6)).toThrow('more decimals than the token');
  });
});
