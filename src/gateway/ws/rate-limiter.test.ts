import { expect, test } from 'vitest';
import { ConnectionCounts } from './connection-counts.ts';
import { RateLimiter } from './rate-limiter.ts';

test('RateLimiter: a burst is free, then the rate counts', () => {
  const limiter = new RateLimiter({ burst: 3, perSecond: 2 }, 0);
  expect([1, 2, 3, 4].map(() => limiter.take(0))).toEqual([true, true, true, false]);
  expect(limiter.take(499)).toBe(false);
  expect(limiter.take(500)).toBe(true);
  expect(limiter.take(500)).toBe(false);
});

test('RateLimiter: never accumulates more than the burst', () => {
  const limiter = new RateLimiter({ burst: 2, perSecond: 10 }, 0);
  expect([1, 2, 3].map(() => limiter.take(1_000_000))).toEqual([true, true, false]);
});

test('RateLimiter: what was used already is a debt of one burst at most', () => {
  const limiter = new RateLimiter({ burst: 10, perSecond: 10 }, 0);
  limiter.charge(0, 4);
  expect(limiter.take(0, 6)).toBe(true);
  limiter.charge(0, 1_000);
  expect(limiter.take(1_000)).toBe(false);
  expect(limiter.take(1_100)).toBe(true);
});

test('ConnectionCounts: each owner holds up to its limit and regains a place when one closes', () => {
  const counts = new ConnectionCounts(2);
  expect([counts.take('a'), counts.take('a'), counts.take('a')]).toEqual([true, true, false]);
  expect(counts.take('b')).toBe(true);
  counts.giveBack('a');
  expect(counts.take('a')).toBe(true);
});
