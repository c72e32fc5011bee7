import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueQueue } from './due-queue.ts';

interface Item {
  readonly dueAt: number;
  readonly number: number;
}

function compare(first: Item, second: Item): number {
  return first.dueAt - second.dueAt || first.number - second.number;
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), value: fc.nat(40) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), value: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), value: fc.nat(40) }) },
);

describe('DueQueue', () => {
  it('due queue: whatever is added and removed, the first is that of a sorted list', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new DueQueue<Item>(compare);
        let plain: Item[] = [];
        steps.forEach(({ kind, value }, number) => {
          if (kind === 'add') {
            const item = { dueAt: value, number };
            queue.add(item);
            plain = [...plain, item].sort(compare);
          } else if (kind === 'remove') {
            const item = plain[value % Math.max(1, plain.length)];
            if (item !== undefined) queue.remove(item);
            plain = plain.filter((each) => each !== item);
          } else {
            // Time passes: all that is due comes out, in turn.
            const due = plain.filter(({ dueAt }) => dueAt <= value);
            plain = plain.filter(({ dueAt }) => dueAt > value);
            for (const item of due) {
              expect(queue.first()).toBe(item);
              queue.remove(item);
            }
          }
          expect(queue.first()).toBe(plain[0]);
          expect(queue.count).toBe(plain.length);
        });
        expect(plain.length).toBeLessThanOrEqual(steps.length);
      }),
    );
  });

  it('due queue: the output does not depend on the order of insertion', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000)), fc.infiniteStream(fc.nat()), (times, draws) => {
        const items = times.map((dueAt, number) => ({ dueAt, number }));
        const shuffled = items
          .map((item) => ({ item, draw: draws.next().value as number }))
          .sort((a, b) => a.draw - b.draw)
          .map(({ item }) => item);
        expect(drain(shuffled)).toEqual([...items].sort(compare));
      }),
    );
  });

  it('due queue: removing an absent entry changes nothing', () => {
    const queue = new DueQueue<Item>(compare);
    const item = { dueAt: 1, number: 1 };
    queue.add(item);
    queue.remove({ dueAt: 1, number: 1 });
    expect(queue.first()).toBe(item);
  });
});

function drain(items: readonly Item[]): readonly Item[] {
  const queue = new DueQueue<Item>(compare);
  for (const item of items) queue.add(item);
  const drained: Item[] = [];
  for (let item = queue.first(); item !== undefined; item = queue.first()) {
    queue.remove(item);
    drained.push(item);
  }
  return drained;
}
