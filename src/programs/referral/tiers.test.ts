import { expect, test } from 'vitest';
import { formatDecimal } from '../../domain/decimal.ts';
import { getTier, tiers } from './tiers.ts';

test('tiers: 0 Starter to 4 Diamond with 0.10, 0.15, 0.20, 0.25, 0.30', () => {
  expect(
    tiers.map(({ level, name, rebateRate }) => [level, name, formatDecimal(rebateRate)]),
  ).toEqual([
    [0, 'Starter', '0.1'],
    [1, 'Silver', '0.15'],
    [2, 'Gold', '0.2'],
    [3, 'Platinum', '0.25'],
    [4, 'Diamond', '0.3'],
  ]);
});

test('getTier: a level outside 0 to 4 is a bug', () => {
  expect(getTier(4).name).toBe('Diamond');
  expect(() => getTier(5)).toThrow();
});
