import { expect, test } from 'vitest';
import { toAmount } from './amount.ts';
import { type Decimal, parseDecimal } from './decimal.ts';
import {
  amountFromMicroUsdt,
  formatMicroUsdt,
  microUsdtFromAmount,
  microUsdtFromDecimal,
  toMicroUsdt,
} from './micro-usdt.ts';

test.each([
  [0n, 0n],
  [99n, 0n],
  [100n, 1n],
  [1_234_567_899n, 12_345_678n],
])('microUsdtFromAmount: %i of 10^-8 is %i of 10^-6, rounded down', (amount, micro) => {
  expect(microUsdtFromAmount(toAmount(amount))).toBe(micro);
  expect(amountFromMicroUsdt(toMicroUsdt(micro)) <= amount).toBe(true);
});

test.each([
  ['10', 10_000_000n],
  ['0.000001', 1n],
  ['12.345678', 12_345_678n],
  ['0.0000001', null],
  ['1.0000000', 1_000_000n],
])('microUsdtFromDecimal: %s is %s', (text, micro) => {
  expect(microUsdtFromDecimal(parseDecimal(text) as Decimal)).toBe(micro);
});

test('formatMicroUsdt: plain decimal text without trailing zeros', () => {
  expect(formatMicroUsdt(toMicroUsdt(10_500_000n))).toBe('10.5');
  expect(formatMicroUsdt(toMicroUsdt(1n))).toBe('0.000001');
  expect(formatMicroUsdt(toMicroUsdt(0n))).toBe('0');
});
