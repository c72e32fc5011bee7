import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TimeFilter } from '../../src/application/referral/list-traders.ts';
import { DatabasePool } from '../../src/database/database-pool.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { selectTraders, tradersQuery } from '../../src/database/referral/select-traders.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { createTestDatabase, databaseUrl, silentLog } from '../../test/support/database-url.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { seedEarnings } from '../referral/seed-earnings.ts';

// A page of traders of a referrer with a million earnings, in each of the three windows. The peer
// sums the earnings themselves, by the index that suits that best, for the very same page.

const referrer = 1 as AccountId;
const dayMs = 86_400_000;
const windows: Readonly<Record<TimeFilter, number | null>> = { all: null, '7d': 7, '30d': 30 };

interface Variant {
  readonly time: TimeFilter;
  readonly pageSize: number;
  readonly page: number;
}

async function run(options: readonly string[]): Promise<BenchmarkResult> {
  const earnings = Number(options[0] ?? 1_000_000);
  const traders = Number(options[1] ?? 1_000);
  const rounds = Number(options[2] ?? 50);
  const folder = await mkdtemp(join(tmpdir(), 'openbourse-bench-'));
  const server = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), log: silentLog });
  try {
    const serverUrl = databaseUrl(server.address, 'postgres');
    const { url } = await createTestDatabase({ serverUrl, name: 'traders', from: null });
    const target = { connectionString: url };
    await migrateDatabase({ target, log: silentLog });
    const timeouts = { statementTimeoutMs: 600_000, lockTimeoutMs: 5_000, waitMs: 5_000 };
    const pool = new DatabasePool(target, { name: 'b', connectionsMax: 1, ...timeouts }, silentLog);
    await seedEarnings(pool, { earnings, traders });
    console.log(`${earnings} earnings of ${traders} traders over 60 days`);
    const result = await measure(pool, { traders, rounds });
    await pool.close();
    return result;
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  pool: DatabasePool,
  { traders, rounds }: { readonly traders: number; readonly rounds: number },
): Promise<BenchmarkResult> {
  const lastPage = Math.ceil(traders / 100);
  const variants: readonly Variant[] = [
    { time: 'all', pageSize: 20, page: 1 },
    { time: '7d', pageSize: 20, page: 1 },
    { time: '30d', pageSize: 20, page: 1 },
    { time: 'all', pageSize: 100, page: lastPage },
    { time: '7d', pageSize: 100, page: lastPage },
    { time: '30d', pageSize: 100, page: lastPage },
  ];
  let [slowest, peerOfSlowest] = [0, 0];
  for (const variant of variants) {
    const times = await repeat(rounds, () => loadPage(pool, variant));
    const peerTimes = await repeat(Math.ceil(rounds / 10), () => loadFromEarnings(pool, variant));
    const [ours, peer] = [median(times), median(peerTimes)];
    const worst = Math.max(...times);
    console.log(
      `${variant.time}, ${variant.pageSize} traders, page ${variant.page}: ` +
        `${ours.toFixed(2)} ms (at most ${worst.toFixed(2)}), from the earnings ${peer.toFixed(1)} ms`,
    );
    if (ours > slowest) [slowest, peerOfSlowest] = [ours, peer];
  }
  await explain(pool, { time: '30d', pageSize: 20, page: 1 });
  await explain(pool, { time: 'all', pageSize: 20, page: 1 });
  return {
    name: 'referral-traders',
    ours: Number(slowest.toFixed(3)),
    peer: Number(peerOfSlowest.toFixed(3)),
    peer_name: 'the same page summed from the earnings',
    unit: 'ms a page, the slowest of six',
  };
}

function filterOf({ time, pageSize, page }: Variant) {
  const days = windows[time];
  const since = days === null ? null : new Date(Date.now() - days * dayMs);
  return { page, pageSize, search: '', since };
}

function loadPage(pool: DatabasePool, variant: Variant): Promise<unknown> {
  return selectTraders(pool, referrer, { account: '' as never, ...filterOf(variant) });
}

async function loadFromEarnings(pool: DatabasePool, variant: Variant): Promise<unknown> {
  const { since, page, pageSize } = filterOf(variant);
  const window = since === null ? sql`` : sql`AND created_at >= ${since}`;
  return pool.query((db) =>
    sql`
      WITH page AS (
        SELECT id, trader_id, bound_at FROM referral_bindings
        WHERE referrer_id = ${referrer} AND NOT is_affiliate AND unbound_at IS NULL
        ORDER BY bound_at DESC, id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
      )
      SELECT trader_id, sum(fee_value) FILTER (WHERE business_line = 'spot'),
        sum(commission) FILTER (WHERE business_line = 'spot' AND chain_sync_status = 'synced'),
        max(created_at)
      FROM referral_earnings JOIN page USING (trader_id)
      WHERE beneficiary_id = ${referrer} AND type = 'direct' ${window}
      GROUP BY trader_id`.execute(db),
  );
}

async function explain(pool: DatabasePool, variant: Variant): Promise<void> {
  const { rows } = await pool.query((db) =>
    sql<Record<string, string>>`
      EXPLAIN (ANALYZE, BUFFERS, COSTS OFF)
      ${tradersQuery(referrer, filterOf(variant))}`.execute(db),
  );
  console.log(`plan of ${variant.time}, ${variant.pageSize} traders:`);
  for (const row of rows) console.log(`  ${row['QUERY PLAN']}`);
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

export const benchmark: Benchmark = {
  name: 'referral-traders',
  summary: 'ms of a page of traders over 1,000,000 earnings; [earnings] [traders] [rounds]',
  run,
};
