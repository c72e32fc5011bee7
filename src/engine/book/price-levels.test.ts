import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PriceLevels, windowSpanMin } from './price-levels.ts';
import { PriceWindow } from './price-window.ts';
import { SortedLevels } from './sorted-levels.ts';

const span = windowSpanMin;

function under(prices: Iterable<number>, price: number): number {
  return Math.max(-1, ...[...prices].filter((each) => each < price));
}

function over(prices: Iterable<number>, price: number): number {
  const found = Math.min(...[...prices].filter((each) => each > price));
  return found === Number.POSITIVE_INFINITY ? -1 : found;
}

describe('PriceWindow', () => {
  it('PriceWindow: finds the same next occupied position on either side as a plain search', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat({ max: 2 * span - 1 }), { maxLength: 60 }),
        fc.array(fc.nat({ max: 2 * span - 1 }), { minLength: 1, maxLength: 20 }),
        (positions, probes) => {
          const window = new PriceWindow(2 * span);
          const occupied = new Set<number>();
          for (const position of positions) {
            window.set(position, position + 7);
            occupied.add(position);
            if (position % 3 === 0) {
              window.clear(position);
              occupied.delete(position);
            }
          }
          for (const probe of [...probes, 0, 31, 32, span - 1, span, 2 * span - 1]) {
            expect(window.get(probe)).toBe(occupied.has(probe) ? probe + 7 : -1);
            expect(window.lower(probe)).toBe(under(occupied, probe));
            expect(window.higher(probe)).toBe(over(occupied, probe));
          }
          expect(window.lower(2 * span)).toBe(under(occupied, 2 * span));
          expect(window.higher(-1)).toBe(over(occupied, -1));
          expect(window.count).toBe(occupied.size);
        },
      ),
    );
  });
});

describe('SortedLevels', () => {
  it('SortedLevels: keeps thousands of prices in order while they come and go', () => {
    const levels = new SortedLevels();
    const prices = new Set<number>();
    let draw = 12_345;
    for (let index = 0; index < 6_000; index += 1) {
      draw = (Math.imul(draw, 1_103_515_245) + 12_345) >>> 0;
      const price = 1 + (draw % 1_500) * 1_000_003;
      if (prices.has(price)) {
        levels.remove(price);
        prices.delete(price);
      } else {
        levels.insert(price, price % 1_009);
        prices.add(price);
      }
      if (index % 50 !== 0) continue;
      const near = price + (draw % 3) - 1;
      expect(levels.find(near)).toBe(prices.has(near) ? near % 1_009 : -1);
      const [below, above] = [under(prices, near), over(prices, near)];
      expect(levels.lower(near)).toBe(below < 0 ? -1 : below % 1_009);
      expect(levels.higher(near)).toBe(above < 0 ? -1 : above % 1_009);
    }
    for (const price of prices) levels.remove(price);
    expect([levels.count, levels.lower(1e15), levels.higher(0)]).toEqual([0, -1, -1]);
  });
});

describe('PriceLevels', () => {
  const price = fc.oneof(
    fc.integer({ min: 1, max: 3 * span }),
    fc.constantFrom(1, span - 1, span, span + 1, 10 ** 12, Number.MAX_SAFE_INTEGER),
  );

  it('PriceLevels: orders all prices, wherever the window is', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(price, { minLength: 1, maxLength: 40 }),
        fc.array(price, { maxLength: 4 }),
        fc.array(price, { minLength: 1, maxLength: 10 }),
        (prices, moves, probes) => {
          const levels = new PriceLevels(span);
          const slots = new Map(prices.map((each) => [each, levels.add(each)]));
          for (const [index, [each, slot]] of [...slots].entries()) {
            if (index % 4 !== 3) continue;
            levels.remove(slot);
            slots.delete(each);
          }
          for (const move of moves) levels.moveWindow(move);
          for (const probe of [...probes, ...prices]) {
            const [below, above] = [under(slots.keys(), probe), over(slots.keys(), probe)];
            expect(levels.find(probe)).toBe(slots.get(probe) ?? -1);
            expect(levels.lower(probe)).toBe(slots.get(below) ?? -1);
            expect(levels.higher(probe)).toBe(slots.get(above) ?? -1);
          }
          expect(levels.count).toBe(slots.size);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('PriceLevels: jumps back and forth do not move the window each time', () => {
    const levels = new PriceLevels(span);
    const near = Array.from({ length: 500 }, (_, index) => levels.add(10_000 + index));
    let moves = 0;
    for (let round = 0; round < 2_000; round += 1) {
      const slot = levels.add(10 ** 9);
      levels.remove(slot);
      if (!levels.isStraying) continue;
      levels.moveWindow(round % 2 === 0 ? 10 ** 9 : 10_000);
      moves += 1;
    }
    expect(near.every((slot, index) => levels.find(10_000 + index) === slot)).toBe(true);
    expect(moves).toBeLessThan(30);
  });
});
