import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decimal, formatDecimal, parseDecimal, parseDecimalValue } from './decimal.ts';

test.each([
  ['0', 0n],
  ['1', 10n ** 18n],
  ['-1', -(10n ** 18n)],
  ['0.000000000000000001', 1n],
  ['10.50', 10_500_000_000_000_000_000n],
  ['999999999999999999999999999999', (10n ** 30n - 1n) * 10n ** 18n],
])('parseDecimal: %s is a number', (text, value) => {
  expect(parseDecimal(text)).toBe(value);
});

test.each([
  '',
  ' ',
  ' 5',
  '5 ',
  '5\n',
  '+5',
  '--5',
  '5.',
  '.5',
  '1e5',
  '1E5',
  '1e400',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '0b1',
  '1_000',
  '1,5',
  '00001',
  '01.5',
  '٣',
  '５',
  '1.2.3',
  '-',
  '0.0000000000000000001',
  '1000000000000000000000000000000',
  '9'.repeat(1_000_000),
])('parseDecimal: %j is malformed', (text) => {
  expect(parseDecimal(text)).toBeNull();
});

test('parseDecimal: minus zero is zero', () => {
  expect(parseDecimal('-0')).toBe(0n);
});

test.each([
  [5, '5'],
  [0.1, '0.1'],
  [1e-7, '0.0000001'],
  [1.5e-10, '0.00000000015'],
  [123456789.012345, '123456789.012345'],
  [-2.5, '-2.5'],
  [1e21, '1000000000000000000000'],
])('parseDecimalValue: the JSON number %d is read as %s', (number, text) => {
  expect(parseDecimalValue(number)).toBe(parseDecimal(text));
});

test.each([
  [0.1 + 0.2],
  [12345678901234568],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [null],
  [undefined],
  [true],
  [{}],
  [['5']],
  [1e-19],
])('parseDecimalValue: %j is malformed', (value) => {
  expect(parseDecimalValue(value)).toBeNull();
});

test('formatDecimal: its output parses back to the same value, without trailing zeros', () => {
  const value = fc.bigInt({ min: -(10n ** 47n), max: 10n ** 47n });
  fc.assert(
    fc.property(value, (units) => {
      const text = formatDecimal(units as Decimal);
      expect(parseDecimal(text)).toBe(units);
      expect(text).not.toMatch(/\.\d*0$|\.$|^-0$/);
    }),
  );
});
