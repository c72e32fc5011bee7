import { describe, expect, it } from 'vitest';
import { OrderRecords } from './order-records.ts';

const recordFloats = 4;

function take(records: OrderRecords, count: number): number[] {
  return Array.from({ length: count }, () => records.take());
}

describe('OrderRecords', () => {
  it('order records: slots are numbered from 0', () => {
    expect(take(new OrderRecords(recordFloats), 3)).toEqual([0, 1, 2]);
  });

  it('order records: released records are taken again, the last one first, before new ones', () => {
    const records = new OrderRecords(recordFloats);
    take(records, 5);
    for (const slot of [3, 0, 2]) records.release(slot);
    expect(take(records, 4)).toEqual([2, 0, 3, 5]);
  });

  it('order records: a buffer that is full grows, with its contents in all three views', () => {
    const records = new OrderRecords(recordFloats);
    const places = records.floats.length / recordFloats;
    for (const slot of take(records, places)) records.floats[slot * recordFloats + 1] = slot + 0.5;
    const full = records.floats;
    const next = records.take();
    expect(next).toBe(places);
    expect(records.floats.length).toBe(2 * full.length);
    expect(records.floats.subarray(0, full.length)).toEqual(full);
    records.floats[next * recordFloats] = 1.5;
    expect(records.amounts[next * recordFloats]).toBe(0x3ff8_0000_0000_0000n);
    expect(records.ints[next * records.recordInts + 1]).toBe(0x3ff8_0000);
  });
});
