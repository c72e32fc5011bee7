import { describe, expect, it } from 'vitest';
import { OrderIndex } from './order-index.ts';

describe('OrderIndex', () => {
  it('OrderIndex: finds and removes like a Map, while numbers rise and orders live', () => {
    const index = new OrderIndex();
    const plain = new Map<number, number>();
    let draw = 99;
    for (let orderNumber = 1; orderNumber <= 60_000; orderNumber += 1) {
      draw = (Math.imul(draw, 1_664_525) + 1_013_904_223) >>> 0;
      if (draw % 5 > 0) {
        index.set(orderNumber, draw % 1_000);
        plain.set(orderNumber, draw % 1_000);
      }
      // Nine of ten orders end soon, and the others stay permanently.
      const old = orderNumber - 1 - (draw % 64);
      if (old > 0 && old % 10 !== 0) {
        if (index.take(old) !== (plain.get(old) ?? -1)) throw new Error(`order ${old}`);
        plain.delete(old);
      }
    }
    const numbers = Array.from({ length: 60_001 }, (_, orderNumber) => orderNumber);
    const slots = numbers.map((orderNumber) => plain.get(orderNumber) ?? -1);
    expect(numbers.map((orderNumber) => index.find(orderNumber))).toEqual(slots);
    expect(numbers.map((orderNumber) => index.take(orderNumber))).toEqual(slots);
    expect(numbers.every((orderNumber) => index.take(orderNumber) === -1)).toBe(true);
  });

  it('OrderIndex: a few long-lived orders among millions of numbers do not pin pages', () => {
    const index = new OrderIndex();
    for (let orderNumber = 1; orderNumber <= 1_000_000; orderNumber += 1) {
      index.set(orderNumber, 5);
      if (orderNumber % 1_000 !== 0) index.take(orderNumber);
    }
    expect(index.pageCount).toBeLessThanOrEqual(2);
    expect(index.find(1_000)).toBe(5);
    expect(index.find(1_001)).toBe(-1);
  });

  it('OrderIndex: numbers beyond 32 bits keep their own slots', () => {
    const index = new OrderIndex();
    const numbers = [1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 + 1];
    numbers.forEach((orderNumber, slot) => index.set(orderNumber, slot));
    expect(numbers.map((orderNumber) => index.find(orderNumber))).toEqual([0, 1, 2, 3]);
  });

  it('OrderIndex: an impossible order number is not found', () => {
    const index = new OrderIndex();
    index.set(7, 3);
    const strange = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER];
    expect(strange.map((number) => index.find(number))).toEqual(strange.map(() => -1));
  });
});
