import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookSide } from '../../book/order-book.ts';
import { TouchedLevels } from './touched-levels.ts';

const change = fc.record({
  side: fc.constantFrom<BookSide>(0, 1),
  price: fc.integer({ min: 1, max: 40 }),
  quantity: fc.nat(9),
});

describe('TouchedLevels', () => {
  it('TouchedLevels: has the last quantity of each level, in the order of first change', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 80 }), { maxLength: 3 }), (commands) => {
        const levels = new TouchedLevels();
        for (const changes of commands) {
          const plain = new Map<string, number>();
          for (const { side, price, quantity } of changes) {
            levels.set(side, price, quantity);
            plain.set(`${side}:${price}`, quantity);
          }
          const places = Array.from({ length: levels.count }, (_, place) => place);
          expect(
            places.map((at) => [
              `${levels.sideAt(at)}:${levels.priceAt(at)}`,
              levels.quantityAt(at),
            ]),
          ).toEqual([...plain]);
          levels.clear();
        }
      }),
    );
  });
});
