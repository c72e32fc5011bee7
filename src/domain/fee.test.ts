import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountMax, scaleAmount, toAmount } from './amount.ts';
import { feeOf, rateFromBps } from './fee.ts';
import { type Rate, rateOne } from './futures-market.ts';

describe('feeOf', () => {
  it.each([
    [0n, 10, 0n],
    [10_000n, 0, 0n],
    [10_000n, 1, 1n],
    [9_999n, 1, 1n],
    [10_001n, 1, 2n],
    [123_456_789n, 25, 308_642n],
    [amountMax, 10_000, amountMax],
  ])('feeOf: %d received at %d bps is a fee of %d', (received, bps, fee) => {
    expect(feeOf(received, rateFromBps(bps))).toBe(fee);
  });

  it('feeOf: is scaleAmount by the rate, rounded up, over the whole range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: amountMax }), fc.nat({ max: 10_000 }), (units, bps) => {
        const ratio = { numerator: BigInt(bps), denominator: 10_000n };
        expect(feeOf(units, rateFromBps(bps))).toBe(scaleAmount(toAmount(units), ratio, 'up'));
      }),
    );
  });

  it('feeOf: is quote x rate rounded up, for any order that a market accepts', () => {
    const quotes = fc.bigInt({ min: 0n, max: amountMax / 100n });
    const rates = fc.bigInt({ min: 0n, max: rateOne });
    fc.assert(
      fc.property(quotes, rates, (quote, rate) => {
        expect(feeOf(quote, rate as Rate)).toBe((quote * rate + rateOne - 1n) / rateOne);
      }),
    );
  });
});
