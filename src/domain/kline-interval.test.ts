import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { klineCloseTime, klineIntervals, klineOpenTime } from './kline-interval.ts';

const moments = fc.integer({ min: 0, max: Date.UTC(2400, 0, 1) });

describe('klineOpenTime', () => {
  it('klineOpenTime: weeks open on Monday, months on their first day, 3d on multiples of 3 days', () => {
    const moment = Date.UTC(2024, 1, 29, 13, 47, 12, 345);
    expect(new Date(klineOpenTime('1w', moment)).toISOString()).toBe('2024-02-26T00:00:00.000Z');
    expect(new Date(klineOpenTime('1M', moment)).toISOString()).toBe('2024-02-01T00:00:00.000Z');
    expect(new Date(klineOpenTime('15m', moment)).toISOString()).toBe('2024-02-29T13:45:00.000Z');
    expect(klineOpenTime('3d', moment) % (3 * 86_400_000)).toBe(0);
  });

  it('klineOpenTime: months agree with the Gregorian calendar', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const date = new Date(moment);
        const open = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
        expect(klineOpenTime('1M', moment)).toBe(open);
        const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
        expect(klineCloseTime('1M', open)).toBe(next - 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('klineOpenTime: candles of every interval follow each other without gap or overlap', () => {
    fc.assert(
      fc.property(fc.constantFrom(...klineIntervals), moments, (interval, moment) => {
        const open = klineOpenTime(interval, moment);
        const close = klineCloseTime(interval, open);
        expect(open).toBeLessThanOrEqual(moment);
        expect(close).toBeGreaterThanOrEqual(moment);
        expect(klineOpenTime(interval, open)).toBe(open);
        expect(klineOpenTime(interval, close)).toBe(open);
        expect(klineOpenTime(interval, close + 1)).toBe(close + 1);
      }),
    );
  });
});
