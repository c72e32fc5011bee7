import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount, formatUnits, formatWhole } from './format.ts';
import { acceptEdit, acceptPaste, cutToStep, moveBySteps, readNumber } from './read-number.ts';

test('number fields: a comma is read as a decimal point, and anything that cannot become a number is refused', () => {
  expect(acceptEdit('64,5')).toBe('64.5');
  expect(acceptEdit('.')).toBe('.');
  expect(acceptEdit('1.2.3')).toBeNull();
  expect(acceptEdit('-1')).toBeNull();
  expect(acceptEdit('1e3')).toBeNull();
});

test.each([
  ['64,036.64', '64036.64'],
  ['64 036.64', '64036.64'],
  ['64.036,64', '64036.64'],
  ['1,234', '1234'],
  ['0,5', '0.5'],
  ['12.5 USDT', '12.5'],
])('number fields: pasted %s is read by its separators', (pasted, read) => {
  expect(acceptPaste(pasted)).toBe(read);
});

test('number fields: an empty field is no number, and a bare point needs no digit before it', () => {
  expect(readNumber('')).toBeNull();
  expect(readNumber('.')).toBeNull();
  expect(readNumber('.5')).toBe('0.5');
  expect(readNumber('5.')).toBe('5');
});

test('number fields: stepping starts from the step below and never goes under 0', () => {
  expect(moveBySteps('100.017', '0.01', 1)).toBe('100.02');
  expect(moveBySteps('', '0.1', 10)).toBe('1');
  expect(moveBySteps('0.01', '0.01', -5)).toBe('0');
});

const units = fc.bigInt({ min: 0n, max: 10n ** 18n });

test('cutToStep: never more than was typed, always a multiple of the step', () => {
  fc.assert(
    fc.property(units, fc.constantFrom('0.01', '0.00001', '0.5', '1'), (value, step) => {
      const text = readNumber(`${value / 10n ** 8n}.${String(value % 10n ** 8n).padStart(8, '0')}`);
      const cut = cutToStep(text ?? '0', step);
      expect(cutToStep(cut, step)).toBe(cut);
      expect(Number(cut)).toBeLessThanOrEqual(Number(text));
    }),
  );
});

test('formatUnits: its output parses back to the same value', () => {
  fc.assert(
    fc.property(units, (value) => {
      const shown = formatUnits(value, 8);
      expect(shown).not.toContain('e');
      expect(readNumber(shown.replaceAll(',', ''))).toBe(
        readNumber(formatWhole(shown.replaceAll(',', '')).replaceAll(',', '')),
      );
    }),
  );
  expect(formatUnits(-150_000_000n, 2)).toBe('−1.50');
  expect(formatUnits(-1n, 2)).toBe('0.00');
});

test('formatAmount: USDT has two decimals, truncated; other tokens have their own', () => {
  expect(formatAmount('9000.12987654', 'USDT')).toBe('9,000.12');
  expect(formatAmount('25', 'USDT')).toBe('25.00');
  expect(formatAmount('-0.009', 'USDT')).toBe('0.00');
  expect(formatAmount('0.01560001', 'BTC')).toBe('0.01560001');
  expect(formatAmount(null, 'USDT')).toBe('–');
});
