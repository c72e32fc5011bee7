import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import {
  type KlineInterval,
  klineCloseTime,
  klineIntervals,
  klineOpenTime,
} from '../../domain/kline-interval.ts';
import { DatabaseMarketStatistics } from './database-market-statistics.ts';

// Candles of prices and samples of positions as they are listed, against lists that are filtered
// row by row.

const minuteMs = 60_000;
const sampleMs = 5 * minuteMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-01-30T00:00:00Z');
const marketId = 7 as FuturesMarketId;

interface Part {
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

let test: TestDatabase;
let statistics: DatabaseMarketStatistics;

/** Every candle of the length but some, with prices that differ from one to the next. */
function makeParts(lengthMs: number, count: number): readonly Part[] {
  return Array.from({ length: count }, (_, place) => place)
    .filter((place) => place % 11 !== 3 && (place < 100 || place > 140))
    .map((place) => {
      const open = 1_000 + ((place * 37) % 101);
      const close = 1_000 + ((place * 53) % 97);
      const [high, low] = [Math.max(open, close) + (place % 5), Math.min(open, close) - 1];
      return { openTime: start + place * lengthMs, open, high, low, close };
    });
}

const parts = {
  '1m': makeParts(minuteMs, 2_000),
  '1h': makeParts(hourMs, 300),
  '1d': makeParts(dayMs, 200),
} as const;

/** Sampled every five minutes but for two gaps; nobody had a position for ten hours. */
const samples = Array.from({ length: 1_200 }, (_, place) => ({
  time: start + place * sampleMs,
  openInterest: place > 500 && place < 620 ? 0 : 100 + place,
})).filter((_, place) => place % 97 !== 12 && (place < 290 || place > 300));

beforeAll(async () => {
  test = await openTestDatabase();
  statistics = new DatabaseMarketStatistics(test.database.reads);
  const client = await test.database.projector.connect();
  for (const id of [marketId, marketId + 1]) {
    for (const [length, all] of Object.entries(parts)) {
      await client.query(
        `INSERT INTO futures_price_candles SELECT $1, $2, to_timestamp(t / 1000), o, h, l, c,
           o, h, l, c, o, h, l, c, 2
         FROM unnest($3::float8[], $4::int[], $5::int[], $6::int[], $7::int[]) AS r (t, o, h, l, c)`,
        [
          id,
          length,
          all.map(({ openTime }) => openTime),
          all.map(({ open }) => open + id),
          all.map(({ high }) => high + id),
          all.map(({ low }) => low + id),
          all.map(({ close }) => close + id),
        ],
      );
    }
    await client.query(
      `INSERT INTO futures_position_samples SELECT $1, to_timestamp(t / 1000), q, 2, 1, 3, 1, 1, 1, 1
       FROM unnest($2::float8[], $3::int[]) AS r (t, q)`,
      [id, samples.map(({ time }) => time), samples.map((each) => each.openInterest)],
    );
  }
  client.release();
});
afterAll(() => test.close());

const moments = [null, start - dayMs, start, start + 7 * hourMs + 1, start + 101 * sampleMs];
const ends = [null, start + 3 * hourMs, start + 47 * hourMs + 12_345, start + 300 * dayMs];
const spans = moments.flatMap((startTime) => ends.map((endTime) => ({ startTime, endTime })));

function take<T>(all: readonly T[], isFromStart: boolean, limit: number): readonly T[] {
  return isFromStart ? all.slice(0, limit) : all.slice(-limit);
}

describe('listPositionSamples', () => {
  it.each([1, 3, 12, 288])('periods of %i samples, across gaps', async (count) => {
    const periodMs = count * sampleMs;
    for (const { startTime, endTime } of spans) {
      const due = samples.filter(
        ({ time, openInterest }) =>
          time % periodMs === 0 &&
          openInterest > 0 &&
          time >= (startTime ?? 0) &&
          time <= (endTime ?? Number.MAX_SAFE_INTEGER),
      );
      for (const limit of [1, 2, 5, 500]) {
        const filter = { marketId, periodMs, startTime, endTime, limit };
        const found = await statistics.listPositionSamples(filter);
        expect(found.map(({ sampledAt, openInterest }) => [sampledAt, openInterest])).toEqual(
          take(due, startTime !== null, limit).map((each) => [
            each.time,
            String(each.openInterest),
          ]),
        );
      }
    }
  });
});

function joinParts(interval: KlineInterval): readonly Part[] {
  const place = klineIntervals.indexOf(interval);
  const isDaily = place >= klineIntervals.indexOf('1d');
  const length = isDaily ? '1d' : place >= klineIntervals.indexOf('1h') ? '1h' : '1m';
  const candles = new Map<number, Part>();
  for (const part of parts[length]) {
    const openTime = klineOpenTime(interval, part.openTime);
    const known = candles.get(openTime);
    candles.set(openTime, {
      openTime,
      open: known?.open ?? part.open,
      high: Math.max(known?.high ?? part.high, part.high),
      low: Math.min(known?.low ?? part.low, part.low),
      close: part.close,
    });
  }
  return [...candles.values()];
}

describe('listPriceCandles', () => {
  it.each(klineIntervals)('candles of %s are made of all of their parts', async (interval) => {
    const all = joinParts(interval);
    for (const { startTime, endTime } of spans) {
      const due = all.filter(
        ({ openTime }) =>
          openTime >= (startTime ?? 0) && openTime <= (endTime ?? Number.MAX_SAFE_INTEGER),
      );
      for (const limit of [1, 2, 5, 1_500]) {
        const filter = { marketId, kind: 'index', interval, startTime, endTime, limit } as const;
        const found = await statistics.listPriceCandles(filter);
        const expected = take(due, startTime !== null, limit).map((each) => ({
          openTime: each.openTime,
          closeTime: klineCloseTime(interval, each.openTime),
          open: String(each.open + marketId),
          high: String(each.high + marketId),
          low: String(each.low + marketId),
          close: String(each.close + marketId),
        }));
        expect(found.map(({ sampleCount: _, ...rest }) => rest)).toEqual(expected);
      }
    }
  });
});
