import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import { BookMirror } from './book-mirror.ts';

const empty = { lastUpdateId: 0, bids: [], asks: [] };

function change(updateId: number, side: Side, price: number, quantity: number) {
  return { updateId, side, price: price as Ticks, quantity: quantity as Lots };
}

test('BookMirror: highest bids and lowest asks come first', () => {
  const mirror = new BookMirror(empty);
  mirror.apply(change(1, 'buy', 10, 1));
  mirror.apply(change(2, 'buy', 12, 2));
  mirror.apply(change(3, 'sell', 15, 3));
  mirror.apply(change(4, 'sell', 13, 4));
  expect(mirror.getTop('buy', 30)).toEqual([
    { price: 12, quantity: 2 },
    { price: 10, quantity: 1 },
  ]);
  expect(mirror.getTop('sell', 1)).toEqual([{ price: 13, quantity: 4 }]);
  expect(mirror.lastUpdateId).toBe(4);
});

test('BookMirror: a change out of sequence is a bug', () => {
  const mirror = new BookMirror({ ...empty, lastUpdateId: 7 });
  expect(() => mirror.apply(change(7, 'buy', 10, 1))).toThrow('book change 7 follows 7');
  expect(() => mirror.apply(change(9, 'buy', 10, 1))).toThrow('book change 9 follows 7');
});

test('BookMirror: a removed level must exist', () => {
  expect(() => new BookMirror(empty).apply(change(1, 'sell', 10, 0))).toThrow('level 10');
});

test('BookMirror: agrees with a plain map of levels, from any starting depth', () => {
  const steps = fc.array(
    fc.record({
      side: fc.constantFrom<Side>('buy', 'sell'),
      price: fc.integer({ min: 1, max: 40 }),
      quantity: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, fc.nat(), (changes, restartAt) => {
      const levels = { buy: new Map<number, number>(), sell: new Map<number, number>() };
      let mirror = new BookMirror(empty);
      let updateId = 0;
      for (const [index, { side, price, quantity }] of changes.entries()) {
        if (quantity === 0 && !levels[side].delete(price)) continue;
        if (quantity > 0) levels[side].set(price, quantity);
        updateId += 1;
        mirror.apply(change(updateId, side, price, quantity));
        expect(mirror.getTop('buy', 5)).toEqual(best(levels.buy, -1).slice(0, 5));
        expect(mirror.getTop('sell', 5)).toEqual(best(levels.sell, 1).slice(0, 5));
        if (index !== restartAt % changes.length) continue;
        mirror = new BookMirror({
          lastUpdateId: updateId,
          bids: mirror.getTop('buy', Number.MAX_SAFE_INTEGER),
          asks: mirror.getTop('sell', Number.MAX_SAFE_INTEGER),
        });
      }
    }),
  );
});

function best(levels: ReadonlyMap<number, number>, direction: 1 | -1) {
  return [...levels]
    .map(([price, quantity]) => ({ price, quantity }))
    .sort((a, b) => (a.price - b.price) * direction);
}
