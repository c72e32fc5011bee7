import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromUnits } from './decimal.ts';
import { OrderBook } from './order-book.ts';

const level = fc.tuple(
  fc.integer({ min: 1, max: 40 }).map(String),
  fc.integer({ min: 0, max: 3 }).map(String),
);
const changes = fc.record({ bids: fc.array(level), asks: fc.array(level) });

test('OrderBook: agrees with a map of prices, best first', () => {
  fc.assert(
    fc.property(fc.array(changes), (updates) => {
      const book = new OrderBook();
      const naive = { bids: new Map<string, string>(), asks: new Map<string, string>() };
      book.apply('snapshot', { bids: [], asks: [] });
      for (const update of updates) {
        book.apply('update', update);
        for (const side of ['bids', 'asks'] as const) {
          for (const [price, quantity] of update[side]) {
            if (quantity === '0') naive[side].delete(price);
            else naive[side].set(price, quantity);
          }
        }
      }
      for (const [side, direction] of [
        ['bids', -1],
        ['asks', 1],
      ] as const) {
        const expected = [...naive[side]].toSorted(
          ([a], [b]) => (Number(a) - Number(b)) * direction,
        );
        const held = book[side].map((each) => [fromUnits(each.price), fromUnits(each.quantity)]);
        expect(held).toEqual(expected);
      }
    }),
  );
});

test('OrderBook: a snapshot replaces everything before it', () => {
  const book = new OrderBook();
  book.apply('snapshot', { bids: [['1', '1']], asks: [['2', '1']] });
  book.apply('snapshot', { bids: [['3', '1']], asks: [] });
  expect([book.bids.length, book.asks.length]).toEqual([1, 0]);
});
