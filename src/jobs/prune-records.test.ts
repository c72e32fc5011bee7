import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { DatabaseOldRecords } from '../database/jobs/old-records.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { pruneRecordsJob } from './prune-records.ts';

const now = Date.UTC(2026, 5, 1, 12, 30) as TimestampMs;
const dayMs = 86_400_000;
let opened: TestDatabase;

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

async function run(signal = new AbortController().signal): Promise<void> {
  const oldRecords = new DatabaseOldRecords(opened.database.jobs);
  await pruneRecordsJob({ oldRecords, now: () => now }).run({ isFirst: true, signal });
}

async function count(table: string): Promise<number> {
  return opened.database.jobs.query(async (db) => {
    const query = sql<{ count: string }>`SELECT count(*) FROM ${sql.table(table)}`;
    return Number((await query.execute(db)).rows[0]?.count);
  });
}

/** A row of each table for each of the ages. */
async function fill(agesMs: readonly number[]): Promise<void> {
  const times = agesMs.map((ageMs) => new Date(now - ageMs));
  await opened.database.jobs.query(async (db) => {
    await sql`
      INSERT INTO login_nonces SELECT gen_random_uuid()::text, 'another', time
      FROM unnest(${times}::timestamptz[]) AS time`.execute(db);
    await sql`
      INSERT INTO futures_volume_hours SELECT number, time, 1
      FROM unnest(${times}::timestamptz[]) WITH ORDINALITY AS each (time, number)`.execute(db);
    await sql`
      INSERT INTO reward_vouchers (account_id, amount, nonce, deadline, created_at)
      SELECT 1, 1, 0, 1, time FROM unnest(${times}::timestamptz[]) AS time`.execute(db);
  });
}

test('prune: nonces are deleted when they expire, volumes after 31 days, vouchers after 90', async () => {
  const ages = [0, 1, 31 * dayMs, 31 * dayMs + 1, 90 * dayMs, 90 * dayMs + 1];
  await fill(ages);
  await run();
  expect(await count('login_nonces')).toBe(1);
  expect(await count('futures_volume_hours')).toBe(3);
  expect(await count('reward_vouchers')).toBe(5);
});

test('prune: continues until everything old is deleted, and ends with its turn', async () => {
  await fill(Array.from({ length: 12_000 }, (_, index) => 200 * dayMs + index));
  await run(AbortSignal.abort());
  expect(await count('login_nonces')).toBe(12_001);
  await run();
  expect(await count('login_nonces')).toBe(1);
  expect(await count('futures_volume_hours')).toBe(3);
  expect(await count('reward_vouchers')).toBe(5);
});
