import { beforeEach, expect, test } from 'vitest';
import { ChainError } from '../../application/ports/chain.ts';
import { ReadCache } from './read-cache.ts';

let now = 0;
let asked = 0;
beforeEach(() => {
  now = 0;
  asked = 0;
});

function cacheOf(change: { runningMax?: number; waitingMax?: number; entriesMax?: number } = {}) {
  return new ReadCache({
    ttlMs: 5_000,
    errorTtlMs: 1_000,
    entriesMax: 3,
    runningMax: 2,
    waitingMax: 2,
    now: () => now,
    ...change,
  });
}

const ask = async (): Promise<number> => (asked += 1);
const fail = async (): Promise<never> => {
  asked += 1;
  throw new ChainError('no answer');
};

/** A query that is answered when the test decides. */
function openQuestion() {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  return {
    ask: async () => {
      asked += 1;
      await answered;
      return asked;
    },
    answer: () => answer(),
  };
}

test('read-cache: an answer is used until it expires', async () => {
  const cache = cacheOf();
  expect(await cache.read('a', ask)).toBe(1);
  now = 4_999;
  expect(await cache.read('a', ask)).toBe(1);
  now = 5_000;
  expect(await cache.read('a', ask)).toBe(2);
});

test('read-cache: an error is cached for a shorter time', async () => {
  const cache = cacheOf();
  await expect(cache.read('a', fail)).rejects.toThrow('no answer');
  now = 999;
  await expect(cache.read('a', ask)).rejects.toThrow('no answer');
  expect(asked).toBe(1);
  now = 1_000;
  expect(await cache.read('a', ask)).toBe(2);
});

test('read-cache: concurrent callers of the same query share one call', async () => {
  const cache = cacheOf();
  const question = openQuestion();
  const answers = [cache.read('a', question.ask), cache.read('a', question.ask)];
  question.answer();
  expect(await Promise.all(answers)).toEqual([1, 1]);
});

test('read-cache: a call beyond the running and the waiting ones is refused at once', async () => {
  const cache = cacheOf({ entriesMax: 100 });
  const question = openQuestion();
  const taken = ['a', 'b', 'c', 'd'].map((key) => cache.read(key, question.ask));
  await expect(cache.read('e', question.ask)).rejects.toThrow('too many chain queries wait');
  expect(asked).toBe(2);
  question.answer();
  await Promise.all(taken);
  expect(asked).toBe(4);
  now = 1_000;
  expect(await cache.read('e', ask)).toBe(5);
});

test('read-cache: a failed call frees its place', async () => {
  const cache = cacheOf({ runningMax: 1 });
  const [failed, next] = [cache.read('a', fail), cache.read('b', ask)];
  await expect(failed).rejects.toThrow('no answer');
  expect(await next).toBe(2);
});

test('read-cache: the oldest answers are evicted first', async () => {
  const cache = cacheOf();
  for (const key of ['a', 'b', 'c', 'd']) await cache.read(key, ask);
  expect(await cache.read('d', ask)).toBe(4);
  expect(await cache.read('a', ask)).toBe(5);
});
