import { expect, test } from 'vitest';
import { digestPlace } from './request-digest.ts';

const places = 2 ** 17;

test('digestPlace: signatures chosen to begin at the same place soon find a free one', () => {
  const taken = new Set<number>();
  let attemptsMax = 0;
  for (let number = 1; number <= 20_000; number += 1) {
    const digest = { first: number << 17, second: Math.imul(number, 0x9e37_79b1) };
    let attempt = 0;
    while (taken.has(digestPlace(digest, attempt, places))) attempt += 1;
    taken.add(digestPlace(digest, attempt, places));
    attemptsMax = Math.max(attemptsMax, attempt);
  }
  expect(taken.size).toBe(20_000);
  expect(attemptsMax).toBeLessThan(40);
});

test('digestPlace: every place is tried once, whatever the signature', () => {
  for (const second of [0, 1, 2, -2, 0x7fff_ffff, -0x8000_0000]) {
    const tried = new Set<number>();
    for (let attempt = 0; attempt < 1_024; attempt += 1) {
      tried.add(digestPlace({ first: -5, second }, attempt, 1_024));
    }
    expect(tried.size).toBe(1_024);
    expect([Math.min(...tried), Math.max(...tried)]).toEqual([0, 1_023]);
  }
});
