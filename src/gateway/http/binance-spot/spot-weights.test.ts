import { expect, test } from 'vitest';
import {
  byListedMarkets,
  byMarkets,
  dayTickerWeight,
  depthWeight,
  ownTradesWeight,
  testWeight,
} from './spot-weights.ts';

// A call weighs what its handler will do, in whichever way its fields are written.

test.each([
  [{}, 5],
  [{ limit: '100' }, 5],
  [{ limit: '5000' }, 250],
  [{ LIMIT: '5000' }, 250],
  [{ limit: 'undefined', Limit: '5000' }, 250],
  [{ limit: 5_000 }, 250],
  [{ limit: { valueOf: 1, toString: 1 } }, 5],
])('weight of %j: depth %i', (query, weight) => {
  expect(depthWeight(query)).toBe(weight);
});

const three = ['A', 'B', 'C'];

test.each([
  [{ symbol: 'A' }, 4],
  [{ symbols: JSON.stringify(three) }, 12],
  [{ SYMBOLS: JSON.stringify(three) }, 12],
  [{ symbols: three }, 12],
  [{ symbols: JSON.stringify(Array.from({ length: 90 }, () => 'A')) }, 200],
  [{ symbols: '[]' }, 4],
  [{ symbols: '[' }, 4],
])('weight of %j: a rolling window %i', (query, weight) => {
  expect(byListedMarkets(4, 200)(query)).toBe(weight);
});

test.each([
  [{ symbol: 'A' }, 2],
  [{ symbol: 'undefined' }, 80],
  [{ symbol: null }, 80],
  [{}, 80],
  [{ symbols: three }, 2],
  [{ symbols: JSON.stringify(three) }, 2],
  [{ symbols: Array.from({ length: 21 }, () => 'A') }, 40],
  [{ symbols: Array.from({ length: 101 }, () => 'A') }, 80],
])('weight of %j: the statistics of a day %i', (query, weight) => {
  expect(dayTickerWeight(query)).toBe(weight);
});

test('weight: a market that is sent as undefined does not count as one', () => {
  expect(byMarkets(6, 80)({ symbol: 'undefined' })).toBe(80);
  expect(byMarkets(6, 80)({ SYMBOL: 'A' })).toBe(6);
});

test('weight: an order that is named, and commission that is asked for', () => {
  expect([ownTradesWeight({ orderId: 1 }), ownTradesWeight({ orderId: 'undefined' })]).toEqual([
    5, 20,
  ]);
  const asked = [{}, { computeCommissionRates: 'true' }, { computeCommissionRates: true }];
  expect(asked.map((query) => testWeight(query))).toEqual([1, 20, 20]);
});
