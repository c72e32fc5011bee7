import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountFromDecimal, formatAmount, requireAmount, scaleAmount, toAmount } from './amount.ts';
import { type Decimal, parseDecimal } from './decimal.ts';

test.each([
  ['1', 100_000_000n],
  ['0.00000001', 1n],
  ['92233720368.54775807', 9_223_372_036_854_775_807n],
])('amountFromDecimal: %s', (text, units) => {
  const amount = amountFromDecimal(parseDecimal(text) as Decimal);
  expect(amount).toBe(units);
  expect(formatAmount(toAmount(units))).toBe(text);
});

test('amountFromDecimal: nine decimals are refused, never cut', () => {
  expect(amountFromDecimal(parseDecimal('0.000000001') as Decimal)).toBeNull();
});

test('requireAmount: the amount of a constant; a text that is not an amount is an error that quotes it', () => {
  expect(requireAmount('0.00000001')).toBe(1n);
  expect(() => requireAmount('0.000000001')).toThrow('0.000000001 is an amount');
});

test('scaleAmount: rounds in the given direction and by less than one unit', () => {
  const cases = fc.record({
    amount: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    numerator: fc.bigInt({ min: 0n, max: 10_000n }),
  });
  fc.assert(
    fc.property(cases, ({ amount, numerator }) => {
      const ratio = { numerator, denominator: 10_000n };
      const down = scaleAmount(toAmount(amount), ratio, 'down');
      const up = scaleAmount(toAmount(amount), ratio, 'up');
      expect(down * 10_000n <= amount * numerator).toBe(true);
      expect(up * 10_000n >= amount * numerator).toBe(true);
      expect(up - down <= 1n).toBe(true);
    }),
  );
});

test.each([
  [1n, 10n, 'up', 1n],
  [1n, 10n, 'down', 0n],
  [10_000n, 10n, 'up', 10n],
  [10_001n, 10n, 'up', 11n],
] as const)(
  'scaleAmount: %d units at %d bps rounded %s is %d',
  (amount, bps, rounding, expected) => {
    const ratio = { numerator: bps, denominator: 10_000n };
    expect(scaleAmount(toAmount(amount), ratio, rounding)).toBe(expected);
  },
);
