import { expect, test } from 'vitest';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { type HourClose, PriceTrends, trendHours } from './price-trends.ts';

const hourMs = 3_600_000;
const lastHour = 500_000 * hourMs;

function trendsOf(hours: Readonly<Record<string, readonly HourClose[] | Error>>) {
  const asked: (readonly [string, number])[] = [];
  const clock = { now: lastHour + 1_000 };
  const trends = new PriceTrends({
    now: () => clock.now as TimestampMs,
    listSymbols: () => Object.keys(hours),
    listHours: async (symbol, startTime) => {
      asked.push([symbol, startTime]);
      const held = hours[symbol] ?? [];
      if (held instanceof Error) throw held;
      return held;
    },
  });
  return { trends, clock, asked };
}

const at = (hoursAgo: number, close: string): HourClose => ({
  openTime: lastHour - hoursAgo * hourMs,
  close,
});

test('price trends: an hour without trades keeps the previous price, and the list ends at the current hour', async () => {
  const { trends, asked } = trendsOf({ BTCUSDT: [at(4, '100'), at(2, '103')], NEWUSDT: [] });
  expect(await trends.list()).toEqual([
    { symbol: 'BTCUSDT', closes: ['100', '100', '103', '103', '103'] },
  ]);
  expect(asked[0]).toEqual(['BTCUSDT', lastHour - (trendHours - 1) * hourMs]);
});

test('price trends: read once a minute, however often they are requested', async () => {
  const { trends, clock, asked } = trendsOf({ BTCUSDT: [at(0, '100')] });
  await Promise.all([trends.list(), trends.list()]);
  clock.now += 59_999;
  await trends.list();
  expect(asked.length).toBe(1);
  clock.now += 1;
  await trends.list();
  expect(asked.length).toBe(2);
});

test('price trends: a failed read is not cached', async () => {
  const hours: Record<string, readonly HourClose[] | Error> = { BTCUSDT: new Error('no database') };
  const { trends } = trendsOf(hours);
  await expect(trends.list()).rejects.toThrow('no database');
  hours['BTCUSDT'] = [at(0, '100')];
  expect(await trends.list()).toEqual([{ symbol: 'BTCUSDT', closes: ['100'] }]);
});
