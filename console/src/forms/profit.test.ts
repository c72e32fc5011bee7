import { expect, test } from 'vitest';
import { percentOf, profitAt, runningSums, sizeOf } from './profit.ts';

test('profit: a long gains as the price rises, a short as it falls', () => {
  const long = { quantity: '0.5', entry_price: '100' };
  expect(profitAt(long, '110.5')).toBe('5.25');
  const short = { ...long, quantity: '-0.5' };
  expect(profitAt(short, '110.5')).toBe('-5.25');
  expect([sizeOf(long), sizeOf(short)]).toEqual(['0.5', '0.5']);
  expect(profitAt(long, null)).toBe(null);
  expect(profitAt({ ...long, entry_price: null }, '1')).toBe(null);
});

test('profit: sums run from the first amount on', () => {
  expect(runningSums(['1.5', '-2', '0.25'])).toEqual(['1.5', '-0.5', '-0.25']);
  expect(runningSums([])).toEqual([]);
});

test('console: profit in percent of the margin is cut, and unknown without a margin', () => {
  expect(percentOf('-0.1389', '31.88')).toBe('-0.43');
  expect(percentOf('63.76', '31.88')).toBe('200');
  expect(percentOf('1', '0')).toBe(null);
  expect(percentOf('1', null)).toBe(null);
});
