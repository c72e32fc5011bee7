import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WatchHeap } from './watch-heap.ts';

interface Step {
  readonly accountId: number;
  /** Null removes. */
  readonly key: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  accountId: fc.integer({ min: 1, max: 60 }),
  key: fc.option(fc.integer({ min: -50, max: 50 }), { freq: 4, nil: null }),
});

describe('WatchHeap', () => {
  it('agrees with a plain list, and returns the lowest keys first', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const heap = new WatchHeap();
        const plain = new Map<number, number>();
        for (const { accountId, key } of steps) {
          if (key === null) {
            heap.remove(accountId);
            plain.delete(accountId);
          } else {
            heap.set(accountId, key);
            plain.set(accountId, key);
          }
          expect(heap.firstKey).toBe(Math.min(Number.POSITIVE_INFINITY, ...plain.values()));
        }
        const byAccount = [...plain].sort(([left], [right]) => left - right);
        expect(heap.list().map(({ accountId, key }) => [accountId, key])).toEqual(byAccount);
        for (const accountId of [...Array(61).keys(), 10_000]) {
          expect(heap.keyOf(accountId)).toBe(plain.get(accountId) ?? Number.POSITIVE_INFINITY);
        }
        const keys: (number | undefined)[] = [];
        while (heap.count > 0) keys.push(plain.get(heap.takeFirst()));
        expect(keys).toEqual([...plain.values()].sort((left, right) => left - right));
        expect(heap.takeFirst()).toBe(0);
      }),
    );
  });
});
