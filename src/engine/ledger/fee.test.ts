import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax, scaleAmount, toAmount } from '../../domain/amount.ts';
import { feeOf } from './fee.ts';

describe('feeOf', () => {
  it.each([
    [0n, 10n, 0n],
    [10_000n, 0n, 0n],
    [10_000n, 1n, 1n],
    [9_999n, 1n, 1n],
    [10_001n, 1n, 2n],
    [123_456_789n, 25n, 308_642n],
    [amountMax, 10_000n, amountMax],
  ])('feeOf: %d received at %d bps is a fee of %d', (received, bps, fee) => {
    expect(feeOf(received, bps)).toBe(fee);
  });

  it('feeOf: is scaleAmount by the rate, rounded up, over the whole range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: amountMax }), fc.nat({ max: 10_000 }), (units, bps) => {
        const ratio = { numerator: BigInt(bps), denominator: 10_000n };
        expect(feeOf(units, BigInt(bps))).toBe(scaleAmount(toAmount(units), ratio, 'up'));
      }),
    );
  });
});
