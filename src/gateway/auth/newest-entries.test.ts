import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NewestEntries } from './newest-entries.ts';

test('newest entries: a further one takes the place of the oldest', () => {
  const entries = new NewestEntries<number>(3);
  const known = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => entries.get(key) !== undefined);
  for (const [at, key] of ['a', 'b', 'c'].entries()) entries.set(key, at);
  expect(known()).toEqual(['a', 'b', 'c']);
  entries.set('d', 3);
  expect(known()).toEqual(['b', 'c', 'd']);
  // One that is set again is the newest.
  entries.set('b', 4);
  expect([known(), entries.get('b')]).toEqual([['b', 'c', 'd'], 4]);
  entries.set('e', 5);
  expect(known()).toEqual(['b', 'd', 'e']);
  entries.delete('d');
  expect([known(), entries.size]).toEqual([['b', 'e'], 2]);
});

test('newest entries: never more than the maximum, and always what was set last', () => {
  const step = fc.tuple(fc.constantFrom('set', 'delete'), fc.integer({ min: 0, max: 9 }));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (keptMax, steps) => {
      const entries = new NewestEntries<number>(keptMax);
      const sets: (readonly [key: string, at: number])[] = [];
      const deleted = new Map<string, number>();
      for (const [at, [kind, number]] of steps.entries()) {
        const key = String(number);
        if (kind === 'set') {
          entries.set(key, at);
          sets.push([key, at]);
        } else {
          entries.delete(key);
          deleted.set(key, at);
        }
      }
      const expected = new Map(sets.slice(-keptMax));
      for (const [key, at] of deleted) if ((expected.get(key) ?? at) < at) expected.delete(key);
      expect(entries.size).toBe(expected.size);
      for (const [key, at] of expected) expect(entries.get(key)).toBe(at);
    }),
  );
});
