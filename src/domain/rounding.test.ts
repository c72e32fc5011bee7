import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax, scaleAmount, toAmount } from './amount.ts';
import { ceilDivide, ceilDivide64, floorDivide, scaleUp64 } from './rounding.ts';

const signed = fc.bigInt({ min: 0n - amountMax, max: amountMax });
const positive = fc.bigInt({ min: 1n, max: amountMax });

describe('rounding', () => {
  it.each([
    [7n, 2n, 4n, 3n],
    [6n, 2n, 3n, 3n],
    [0n, 2n, 0n, 0n],
    [-7n, 2n, -3n, -4n],
    [-6n, 2n, -3n, -3n],
    [-1n, 3n, 0n, -1n],
  ])('ceilDivide, floorDivide: %d / %d is %d rounded up and %d rounded down', (...row) => {
    const [dividend, divisor, up, down] = row;
    expect(ceilDivide(dividend, divisor)).toBe(up);
    expect(floorDivide(dividend, divisor)).toBe(down);
  });

  it('ceilDivide, floorDivide: enclose the exact quotient within less than one', () => {
    fc.assert(
      fc.property(signed, positive, (dividend, divisor) => {
        const up = ceilDivide(dividend, divisor) * divisor;
        const down = floorDivide(dividend, divisor) * divisor;
        expect(up >= dividend && up - divisor < dividend).toBe(true);
        expect(down <= dividend && down + divisor > dividend).toBe(true);
      }),
    );
  });

  it('ceilDivide64: is ceilDivide as long as dividend + divisor fits in 64 bits', () => {
    const half = amountMax / 2n;
    const dividends = fc.bigInt({ min: 0n, max: half });
    fc.assert(
      fc.property(dividends, fc.bigInt({ min: 1n, max: half }), (dividend, divisor) => {
        expect(ceilDivide64(dividend, divisor)).toBe(ceilDivide(dividend, divisor));
      }),
    );
  });

  it('scaleUp64: is scaleAmount rounded up, for every amount and every rate up to one', () => {
    const one = 1_000_000_000n;
    const amounts = fc.bigInt({ min: 0n, max: amountMax });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: one }), (units, rate) => {
        const exact = scaleAmount(toAmount(units), { numerator: rate, denominator: one }, 'up');
        expect(scaleUp64(units, rate, one)).toBe(exact);
      }),
    );
  });
});
