import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { PointsReader } from '../../src/application/points/points-ports.ts';
import type { DatabasePool } from '../../src/database/database-pool.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { connectDatabase, type Database } from '../../src/database/open-database.ts';
import { BoardCache } from '../../src/database/points/board-cache.ts';
import { CachedPointsReader } from '../../src/database/points/cached-points-reader.ts';
import { DatabasePointsJobStore } from '../../src/database/points/points-job-store.ts';
import { DatabasePointsReader } from '../../src/database/points/points-reader.ts';
import type { Address, TimestampMs } from '../../src/domain/identifiers.ts';
import { dayOf, type EpochNumber } from '../../src/programs/points/epochs.ts';
import { silentLog } from '../../test/support/database-url.ts';
import { daysOfEvents, epochOfDays, randomEvents } from '../../test/support/points/point-events.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// A generator inside PostgreSQL makes point events of a week and adds them up by account and day; a
// test holds its sums to what the projector's accrual makes of the same events. Measured: the refreshes, and the pages that are asked
// for meanwhile. The peer is the page as one statement without a cache: the sum of the week's days
// in order, on the same tables.

const start = Date.UTC(2026, 0, 5);
const daysPerWeek = 7;
const pagesWhileRefreshing = 400;

interface Measured {
  readonly database: Database;
  readonly jobs: DatabasePointsJobStore;
  readonly reader: PointsReader;
  readonly accounts: number;
}

/** How long pages took, by what they are out of. */
interface PageTimes {
  /** Leaderboards, which memory answers. */
  readonly boards: number[];
  /** An account's own standing: its points are a row of the database. */
  readonly standings: number[];
}

async function run(options: readonly string[]): Promise<BenchmarkResult> {
  const accounts = Number(options[0] ?? 1_000_000);
  const events = Number(options[1] ?? 50_000_000);
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-bench-'));
  const server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: silentLog });
  const target = { ...server.address, database: 'postgres' };
  const database = connectDatabase(target, silentLog);
  try {
    await migrateDatabase(database);
    await generate(database, accounts, events);
    const cache = new BoardCache(database.boards, silentLog);
    const jobs = new DatabasePointsJobStore(database.jobs, () => cache.catchUp());
    const reader = new CachedPointsReader(new DatabasePointsReader(database.reads), cache);
    await cache.catchUp();
    return await measure({ database, jobs, reader, accounts });
  } finally {
    await database.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function generate({ jobs }: Database, accounts: number, events: number): Promise<void> {
  await say('accounts', () =>
    jobs.withClient((client) =>
      client.query(
        `INSERT INTO accounts (account_id, address, created_at)
         SELECT n, '0x' || md5(n::text) || lpad(to_hex(n), 8, '0'), now()
         FROM generate_series(1, $1::integer) AS n`,
        [accounts],
      ),
    ),
  );
  for (let day = 0; day < daysPerWeek; day += 1) {
    await say(`events of day ${day + 1}`, () =>
      jobs.withClient((client) =>
        client.query(daysOfEvents(randomEvents), [
          accounts,
          Math.round(events / daysPerWeek),
          dayOf(start as TimestampMs) + day,
        ]),
      ),
    );
  }
  await say('sums of the epoch', () => jobs.withClient((client) => client.query(epochOfDays)));
  await say('vacuum', () => jobs.withClient((client) => client.query('VACUUM ANALYZE')));
}

async function measure(parts: Measured): Promise<BenchmarkResult> {
  const { jobs, reader, database } = parts;
  const epoch = 1 as EpochNumber;
  const day = dayOf((start + 6.5 * 86_400_000) as TimestampMs);
  const now = (start + 6.5 * 86_400_000) as TimestampMs;
  const refreshEpoch = () => jobs.refreshEpoch(epoch, { now, isFinal: false });
  const refreshDay = () => jobs.refreshDay(day, now);
  await whilePaging(parts, 'epoch, first refresh', refreshEpoch);
  await whilePaging(parts, 'epoch, nothing changed', refreshEpoch);
  await change(database.jobs, 'points_epochs', 'epoch', epoch);
  await whilePaging(parts, 'epoch, 50,000 accounts changed', refreshEpoch);
  await whilePaging(parts, 'day, rebuilt', refreshDay);
  await change(database.jobs, 'points_days', 'day', day);
  await whilePaging(parts, 'day, 50,000 accounts changed', refreshDay);
  await reportSizes(database.jobs);
  const idle: PageTimes = { boards: [], standings: [] };
  await timePages(parts, 2_000, idle);
  const bare = await timeBarePages(database.jobs);
  console.log(`without a refresh: ${describePages(idle)}`);
  console.log(`the same without a cache: ${describe(bare)}`);
  const { entries } = await reader.loadEpochBoard(epoch, 'total', 1);
  if (entries.length !== 1) throw new Error('the leaderboard has a first rank');
  return {
    name: 'points',
    ours: Number(percentile(idle.boards, 0.5).toPrecision(3)),
    peer: Number(percentile(bare, 0.5).toPrecision(3)),
    peer_name: 'the page as one statement over the days, without a cache',
    unit: 'ms a page',
  };
}

async function change(
  pool: DatabasePool,
  table: 'points_epochs' | 'points_days',
  key: 'epoch' | 'day',
  value: number,
): Promise<void> {
  await pool.withClient((client) =>
    client.query(
      `UPDATE ${table} SET trading = trading + 1, total = total + 1
       WHERE ${key} = $1 AND account_id % 20 = 0 AND account_id <= 1000000`,
      [value],
    ),
  );
}

/** Runs a refresh and asks for pages as long as it lasts. */
async function whilePaging(
  parts: Measured,
  name: string,
  refresh: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  let isOver = false;
  const refreshing = refresh().then(() => {
    isOver = true;
    return performance.now() - startedAt;
  });
  const pages: PageTimes = { boards: [], standings: [] };
  do await timePages(parts, pagesWhileRefreshing / 20, pages);
  while (!isOver);
  const durationMs = await refreshing;
  const memoryMb = Math.round(process.memoryUsage().rss / 1_048_576);
  const [load = 0] = loadavg();
  console.log(
    `${name}: ${(durationMs / 1000).toFixed(2)} s; ${describePages(pages)}; ` +
      `${memoryMb} MB of Node; load ${load.toFixed(1)}`,
  );
}

async function timePages(
  { reader, accounts }: Measured,
  count: number,
  { boards, standings }: PageTimes,
): Promise<void> {
  const epoch = 1 as EpochNumber;
  const day = dayOf((start + 6.5 * 86_400_000) as TimestampMs);
  for (let index = 0; index < count; index += 1) {
    const account = 1 + ((index * 7_919) % accounts);
    const startedAt = performance.now();
    // The event loop's own delays are part of what a request waits for.
    await setImmediate();
    if (index % 4 === 0) await reader.loadEpochBoard(epoch, 'total', 100);
    else if (index % 4 === 1) await reader.loadEpochBoard(epoch, 'trading', 1_000);
    else if (index % 4 === 2) {
      await reader.loadDailyBoard({ day, epoch, limit: 50, offset: account % (accounts / 2) });
    } else await reader.loadStanding(addressOf(account), epoch);
    (index % 4 === 3 ? standings : boards).push(performance.now() - startedAt);
    // Requests come one after the other, not as fast as they are answered.
    await delay(1);
  }
}

function addressOf(account: number): Address {
  const digest = createHash('md5').update(String(account)).digest('hex');
  return `0x${digest}${account.toString(16).padStart(8, '0')}` as Address;
}

async function timeBarePages(pool: DatabasePool): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const startedAt = performance.now();
    await pool.withClient((client) =>
      client.query(`SELECT address, sum(total) AS points FROM points_days
        JOIN accounts USING (account_id) GROUP BY address
        ORDER BY points DESC, address LIMIT 100`),
    );
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function reportSizes(pool: DatabasePool): Promise<void> {
  const { rows } = await pool.withClient((client) =>
    client.query<{ name: string; size: string }>(
      `SELECT relname AS name, pg_size_pretty(pg_total_relation_size(oid)) AS size
       FROM pg_class WHERE relkind = 'r' AND relname LIKE 'points_%'
         AND pg_total_relation_size(oid) > 1000000 ORDER BY 1`,
    ),
  );
  console.log(rows.map(({ name, size }) => `${name} ${size}`).join(', '));
}

async function say(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function describePages({ boards, standings }: PageTimes): string {
  return `boards: ${describe(boards)}; standings: ${describe(standings)}`;
}

function describe(times: readonly number[]): string {
  const [median, high, most] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(2));
  const late = times.filter((time) => time > 20).length;
  return `${times.length} pages, median ${median}, 99 % ${high}, most ${most} ms, ${late} above 20`;
}

export const benchmark: Benchmark = {
  name: 'points',
  summary: 'leaderboards: refresh, page time while it runs; [accounts] [point events]',
  run,
};
