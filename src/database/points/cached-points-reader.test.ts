import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import type { DailyBoard, PointsReader } from '../../application/points/points-ports.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import { secondTierRankMax } from '../../programs/points/epoch-tiers.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import { rankTypes } from '../../programs/points/points-types.ts';
import { NotificationListener } from '../notifications/notification-listener.ts';
import { BoardCache } from './board-cache.ts';
import { CachedPointsReader } from './cached-points-reader.ts';
import { DatabasePointsJobStore } from './points-job-store.ts';
import { DatabasePointsReader } from './points-reader.ts';

const accounts = 2_300;
const day = 20_000 as DayNumber;
const soon = { interval: 10 };

let test: TestDatabase;
let cache: BoardCache;
let stored: DatabasePointsReader;
let cached: CachedPointsReader;
let jobs: DatabasePointsJobStore;

beforeEach(async () => {
  test = await openTestDatabase();
  cache = new BoardCache(test.database.boards, silentLog);
  stored = new DatabasePointsReader(test.database.reads);
  cached = new CachedPointsReader(stored, cache);
  jobs = new DatabasePointsJobStore(test.database.jobs, () => cache.catchUp());
  await run(`INSERT INTO accounts (account_id, address, username, created_at)
    SELECT n, '${'0x'}' || lpad(to_hex((n * 7919) % 100003), 40, '0'),
      CASE WHEN n % 3 = 0 THEN 'user' || n END, now()
    FROM generate_series(1, ${accounts}) AS n`);
});
afterEach(async () => {
  await cache.stop();
  await test.close();
});

async function run(text: string): Promise<void> {
  await test.database.accounts.withClient((client) => client.query(text));
}

/** Points drawn from a seed: some appear, some disappear, some change places. */
async function changePoints(epoch: number, today: number, seed: number): Promise<void> {
  const points = (factor: number) => `((n * ${factor} + ${seed} * 131) % 97) * (n % 7 - 1)`;
  for (const [table, key, value] of [
    ['points_epochs', 'epoch', epoch],
    ['points_days', 'day', today],
  ] as const) {
    await run(`INSERT INTO ${table} AS row (${key}, account_id, trading, pnl, staking, total)
      SELECT ${value}, n, greatest(${points(31)}, 0), greatest(${points(17)}, 0), 0, 0
      FROM generate_series(1, ${accounts}) AS n WHERE (n + ${seed}) % 3 < 2
      ON CONFLICT (${key}, account_id) DO UPDATE SET
        trading = excluded.trading, pnl = excluded.pnl, staking = row.staking + 1`);
    await run(`UPDATE ${table} SET total = trading + pnl + staking WHERE ${key} = ${value}`);
  }
}

/** Below the top ranks, one returns the rank and the other only that there is one. */
async function dailyOf(
  reader: PointsReader,
  page: Parameters<PointsReader['loadDailyBoard']>[0],
): Promise<DailyBoard> {
  const board = await reader.loadDailyBoard(page);
  const entries = board.entries.map(({ rank, address, points, epochRank }) => ({
    rank,
    address,
    points,
    epochRank: epochRank === null ? null : Math.min(epochRank, secondTierRankMax + 1),
  }));
  return { ...board, entries };
}

async function expectSame(epoch: number, today: number): Promise<void> {
  const number = epoch as EpochNumber;
  for (const type of rankTypes) {
    for (const limit of [1, 100, 1_000]) {
      expect(await cached.loadEpochBoard(number, type, limit)).toEqual(
        await stored.loadEpochBoard(number, type, limit),
      );
      expect(await cached.loadEpochBoard(number, type, limit, 950)).toEqual(
        await stored.loadEpochBoard(number, type, limit, 950),
      );
    }
  }
  for (const offset of [0, 7, 990, 1_000, 1_999, accounts, 10_000_000]) {
    const page = { day: today as DayNumber, epoch: number, limit: 50, offset };
    expect(await dailyOf(cached, page)).toEqual(await dailyOf(stored, page));
  }
  for (const account of [1, 2, 1_000, accounts, accounts + 1]) {
    const hex = ((account * 7_919) % 100_003).toString(16).padStart(40, '0');
    const address = `0x${hex}` as Address;
    expect(await cached.loadStanding(address, number)).toEqual(
      await stored.loadStanding(address, number),
    );
  }
  expect(await cached.loadFirstDay()).toBe(await stored.loadFirstDay());
}

describe('CachedPointsReader', () => {
  it('leaderboards: memory and database give the same answers after every refresh', async () => {
    const step = fc.record({
      epoch: fc.integer({ min: 1, max: 3 }),
      today: fc.integer({ min: day, max: day + 1 }),
      seed: fc.nat({ max: 1_000 }),
    });
    const [steps] = fc.sample(fc.array(step, { minLength: 6, maxLength: 6 }), 1);
    let now = Date.UTC(2026, 0, 5);
    await cache.catchUp();
    await expectSame(1, day);
    for (const { epoch, today, seed } of steps ?? []) {
      now += 1_000;
      await changePoints(epoch, today, seed);
      await jobs.refreshEpoch(epoch as EpochNumber, { now: now as TimestampMs, isFinal: false });
      await jobs.refreshDay(today as DayNumber, now as TimestampMs);
      for (const each of [1, 2, 3, 4]) await expectSame(each, today);
      await expectSame(epoch, day + 7);
    }
  });

  it('leaderboards: a page needs no query', async () => {
    await changePoints(1, day, 5);
    const now = Date.UTC(2026, 0, 5) as TimestampMs;
    await jobs.refreshEpoch(1 as EpochNumber, { now, isFinal: false });
    await jobs.refreshDay(day, now);
    const queries = vi.spyOn(test.database.reads, 'query');
    const clients = vi.spyOn(test.database.reads, 'withClient');
    const epoch = 1 as EpochNumber;
    await cached.loadFirstDay();
    expect((await cached.loadEpochBoard(epoch, 'total', 1_000)).entries).toHaveLength(1_000);
    const page = await cached.loadDailyBoard({ day, epoch, limit: 50, offset: 700 });
    expect(page.entries).toHaveLength(50);
    expect(queries).not.toHaveBeenCalled();
    expect(clients).not.toHaveBeenCalled();
  });

  it('leaderboards: a refresh by another process is noticed and read', async () => {
    const listener = new NotificationListener(test.database.target, silentLog);
    listener.add(cache);
    listener.start();
    await vi.waitFor(() => expect(cache.images).not.toBeNull(), soon);
    const elsewhere = new DatabasePointsJobStore(test.database.jobs);
    await changePoints(1, day, 9);
    const now = Date.UTC(2026, 0, 5) as TimestampMs;
    await elsewhere.refreshEpoch(1 as EpochNumber, { now, isFinal: false });
    await vi.waitFor(() => expect(cache.images?.lastEpoch).toBe(1), soon);
    await expectSame(1, day);
    await listener.stop();
  });

  it('leaderboards: if memory cannot be filled the database answers', async () => {
    await changePoints(1, day, 5);
    await run(`UPDATE points_epochs SET total = 1e12 WHERE account_id = 5`);
    const now = Date.UTC(2026, 0, 5) as TimestampMs;
    await jobs.refreshEpoch(1 as EpochNumber, { now, isFinal: false });
    expect(cache.images).toBeNull();
    await expectSame(1, day);
  });
});
