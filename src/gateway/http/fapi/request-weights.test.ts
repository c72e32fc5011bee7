import { expect, test } from 'vitest';
import { basisWeight, bySymbol, depthWeight, klineWeight } from './request-weights.ts';

// A call weighs what its handler will do, in whichever way its fields are written.

const perSymbol = bySymbol(1, 40);

test.each([
  [{ symbol: 'BTCUSDT' }, 1],
  [{ SYMBOL: 'BTCUSDT' }, 1],
  [{ SYMBOL: '', symbol: 'BTCUSDT' }, 1],
  [{}, 40],
  [{ symbol: '' }, 40],
  [{ symbol: 'undefined' }, 40],
  [{ symbol: null }, 40],
])('weight of %j: by symbol %i', (query, weight) => {
  expect(perSymbol(query)).toBe(weight);
});

test.each([
  [{}, 10],
  [{ limit: '1000' }, 20],
  [{ limit: 1_000 }, 20],
  [{ LIMIT: '1000' }, 20],
  [{ limit: 'undefined', LIMIT: '1000' }, 20],
  [{ limit: '', LIMIT: '5' }, 2],
  [{ limit: '5x' }, 10],
  [{ limit: [5] }, 10],
  [{ limit: { valueOf: 1, toString: 1 } }, 10],
])('weight of %j: depth %i', (query, weight) => {
  expect(depthWeight(query)).toBe(weight);
});

test('weight: a limit that is not a number weighs like the default', () => {
  expect(klineWeight({ limit: '-1' })).toBe(klineWeight({}));
});

test.each([
  [{}, 10],
  [{ period: '5m', limit: '500' }, 10],
  [{ period: '30m' }, 10],
  [{ PERIOD: '30m', limit: '500' }, 15],
  [{ period: '30m', limit: '100000' }, 15],
  [{ period: 'constructor', limit: '500' }, 10],
])('weight of %j: basis %i', (query, weight) => {
  expect(basisWeight(query)).toBe(weight);
});
