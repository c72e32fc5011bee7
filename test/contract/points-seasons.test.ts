import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { advanceSeasons } from '../../src/application/points/advance-seasons.ts';
import { DatabasePointsJobStore } from '../../src/database/points/points-job-store.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { toPoints } from '../../src/programs/points/points.ts';
import { shareTokens } from '../../src/programs/points/share-tokens.ts';
import { BreakingPool } from '../support/breaking-pool.ts';
import { PointsService, weekMs } from '../support/points/points-service.ts';
import { anyText, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';

// Seasons: their states, the snapshot and the distribution (interface.md area 4, contract.md 7).

const start = Date.UTC(2026, 0, 5);
const dayMs = 86_400_000;
let points: PointsService;

beforeAll(async () => {
  points = await PointsService.start();
});
afterAll(() => points.close());
beforeEach(async () => {
  points.time = start + dayMs;
  await points.service.query(async (db) => {
    for (const table of ['days', 'epochs', 'distributions']) {
      await sql`TRUNCATE ${sql.ref(`points_${table}`)}`.execute(db);
    }
    await sql`DELETE FROM points_seasons`.execute(db);
  });
  await points.setEpochStart(start);
});

const season = {
  season_no: 1,
  label: 'Season 1',
  start_epoch: 1,
  end_epoch: 2,
  user_pool_tokens: 1000,
  mm_pool_tokens: 70,
};
const create = (change: object = {}) =>
  points.admin('POST', 'points/seasons', { ...season, ...change });
const change = (seasonNo: number, body: object) =>
  points.admin('PUT', `points/seasons/${seasonNo}`, body);
const advance = () => advanceSeasons(points.jobs);
const statuses = async () =>
  ((await points.data('seasons')) as { status: string }[]).map(({ status }) => status);

interface Distribution {
  readonly items: readonly { readonly user_address: string; readonly tokens: number }[];
  readonly total: number;
}
const distribution = (query: Record<string, string> = {}) =>
  points.data('seasons/1/distribution', query) as Promise<Distribution>;

async function setMarketMaker(address: Address): Promise<void> {
  await points.service.query((db) =>
    db
      .updateTable('accounts')
      .set({ is_market_maker: true })
      .where('address', '=', address)
      .execute(),
  );
}

describe('seasons', () => {
  test('seasons: none is an empty array; a created one has every field', async () => {
    expect(await points.data('seasons')).toEqual([]);
    const created = await expectOk(
      create({ start_epoch: 2, end_epoch: 3, distribution_at: '2026-02-01T00:00:00Z' }),
    );
    const expected = {
      ...season,
      start_epoch: 2,
      end_epoch: 3,
      season_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      status: 'pending',
      snapshot_at: null,
      snapshot_taken_at: null,
      distribution_at: '2026-02-01T00:00:00.000Z',
    };
    expect(created).toEqual(expected);
    expect(await points.data('seasons')).toEqual([expected]);
  });

  test('seasons: the scheduled times come back in ISO 8601', async () => {
    const snapshotAt = '2026-03-01T00:00:00.000Z';
    const times = { snapshot_at: snapshotAt, distribution_at: '2026-03-02T12:30:00.000Z' };
    await expectOk(create(times));
    expect(await points.data('seasons')).toMatchObject([{ ...times, snapshot_taken_at: null }]);
  });

  test('seasons: pending to active when the first epoch starts, completed with the snapshot', async () => {
    await expectOk(create({ start_epoch: 2, end_epoch: 2 }));
    await advance();
    expect(await statuses()).toEqual(['pending']);
    points.time = start + weekMs - 1;
    await advance();
    expect(await statuses()).toEqual(['pending']);
    points.time = start + weekMs;
    await advance();
    expect(await statuses()).toEqual(['active']);
    points.time = start + 2 * weekMs + 9_999;
    await advance();
    expect(await statuses()).toEqual(['active']);
    points.time += 1;
    await advance();
    expect(await points.data('seasons')).toMatchObject([
      { status: 'completed', snapshot_taken_at: new Date(points.time).toISOString() },
    ]);
  });

  test('seasons: a season whose first epoch runs is active at once; a late worker catches up', async () => {
    await expectOk(create());
    await expectOk(create({ season_no: 2, start_epoch: 2 }));
    expect(await statuses()).toEqual(['active', 'pending']);
    points.time = start + 10 * weekMs;
    await advance();
    expect(await statuses()).toEqual(['completed', 'completed']);
  });

  test('seasons: snapshot_at decides when the snapshot is taken', async () => {
    await expectOk(create({ snapshot_at: '2026-01-07T00:00:00.000Z' }));
    points.time = Date.UTC(2026, 0, 7) - 1;
    await advance();
    expect(await statuses()).toEqual(['active']);
    points.time += 1;
    await advance();
    expect(await statuses()).toEqual(['completed']);
  });

  test('POST seasons: 409 SEASON_EXISTS for a number that is taken', async () => {
    await expectOk(create());
    expect(await outcomeOf(create())).toEqual({ status: 409, body: { error: 'SEASON_EXISTS' } });
  });

  test('PUT seasons: sets the given fields; 404 SEASON_NOT_FOUND; 409 SEASON_COMPLETED', async () => {
    const missing = { status: 404, body: { error: 'SEASON_NOT_FOUND' } };
    expect(await outcomeOf(change(1, { label: 'x' }))).toEqual(missing);
    await expectOk(create());
    const changed = await expectOk(change(1, { label: 'Renamed', user_pool_tokens: 5 }));
    expect(changed).toMatchObject({ ...season, label: 'Renamed', user_pool_tokens: 5 });
    await expectOk(change(1, { snapshot_at: '2026-01-06T00:00:00Z' }));
    expect(await expectOk(change(1, { snapshot_at: null }))).toMatchObject({ snapshot_at: null });
    expect((await change(1, { start_epoch: 2 })).status).toBe(400);
    expect((await change(1, { end_epoch: 0 })).status).toBe(400);
    points.time = start + 3 * weekMs;
    await advance();
    const completed = { status: 409, body: { error: 'SEASON_COMPLETED' } };
    expect(await outcomeOf(change(1, { label: 'x' }))).toEqual(completed);
  });

  test.each([
    [{ season_no: 0 }],
    [{ season_no: '1' }],
    [{ start_epoch: 0 }],
    [{ start_epoch: 3 }],
    [{ user_pool_tokens: -1 }],
    [{ user_pool_tokens: 1.5 }],
    [{ mm_pool_tokens: null }],
    [{ label: '' }],
    [{ snapshot_at: 'tomorrow' }],
    [{ snapshot_at: '2026-13-01T00:00:00Z' }],
    [{ status: 'active' }],
  ])('POST seasons: %j is malformed', async (body) => {
    const reply = await outcomeOf(create(body));
    expect(reply).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: anyText },
    });
  });
});

describe('distribution', () => {
  test('distribution: 404 for an unknown season, empty until the snapshot is taken', async () => {
    expect((await points.get('seasons/9/distribution')).body).toMatchObject({
      error: { code: 'SEASON_NOT_FOUND' },
    });
    await expectOk(create());
    await points.credit(nextAddress(), '5');
    const empty = { items: [], total: 0, page: 1, page_size: 20 };
    expect(await distribution()).toEqual(empty);
  });

  test('distribution: users share one pool, market makers the other, by largest remainder', async () => {
    const [one, two, three, maker] = [nextAddress(), nextAddress(), nextAddress(), nextAddress()];
    await expectOk(create({ user_pool_tokens: 100, mm_pool_tokens: 7 }));
    await points.credit(one, '1');
    await points.credit(two, '1');
    points.time += weekMs;
    await points.credit(three, '1', 'trading');
    await points.credit(maker, '0.5');
    await setMarketMaker(maker);
    points.time += weekMs;
    await points.credit(two, '1000');
    await advance();
    expect(await distribution()).toEqual({
      items: [
        { rank: 1, user_address: one, pool: 'user', points: '1', tokens: 34 },
        { rank: 2, user_address: two, pool: 'user', points: '1', tokens: 33 },
        { rank: 3, user_address: three, pool: 'user', points: '1', tokens: 33 },
        { rank: 4, user_address: maker, pool: 'mm', points: '0.5', tokens: 7 },
      ],
      total: 4,
      page: 1,
      page_size: 20,
    });
    expect(await distribution({ page: '2', page_size: '3' })).toMatchObject({
      items: [{ rank: 4 }],
      total: 4,
    });
    for (const query of [{ page: '0' }, { page_size: '101' }, { page_size: '0' }, { page: 'x' }]) {
      expect((await points.get('seasons/1/distribution', query as never)).status).toBe(400);
    }
  });

  test('distribution: a pool for which no account has points is not distributed', async () => {
    await expectOk(create());
    points.time = start + 3 * weekMs;
    await advance();
    expect(await statuses()).toEqual(['completed']);
    expect(await distribution()).toMatchObject({ items: [], total: 0 });
  });

  async function fillPoints(accounts: number): Promise<void> {
    await points.service.query(async (db) => {
      await sql`INSERT INTO accounts (account_id, address, created_at, is_market_maker)
        SELECT 800000 + n, '0x' || lpad(to_hex(800000 + n), 40, '0'), now(), n % 7 = 0
        FROM generate_series(1, ${accounts}::integer) AS n ON CONFLICT DO NOTHING`.execute(db);
      await sql`INSERT INTO points_epochs (epoch, account_id, trading, total)
        SELECT 1 + n % 2, 800000 + n, points, points
        FROM generate_series(1, ${accounts}::integer) AS n,
          LATERAL (SELECT round((n * 7919 % 1000 + 1) / 8.0, 3) AS points) AS drawn`.execute(db);
    });
  }

  const rowsOf = () =>
    points.service.query((db) =>
      db
        .selectFrom('points_distributions')
        .select(['rank', 'pool', 'points', 'tokens'])
        .orderBy('rank')
        .execute(),
    );

  test('distribution: rows follow the rule, and sum to the pools exactly', async () => {
    await fillPoints(2_500);
    await expectOk(create({ user_pool_tokens: 1_234_567, mm_pool_tokens: 89_012 }));
    points.time = start + 3 * weekMs;
    await advance();
    const rows = await rowsOf();
    expect(rows).toHaveLength(2_500);
    for (const [pool, tokens] of [
      ['user', 1_234_567n],
      ['mm', 89_012n],
    ] as const) {
      const ofPool = rows.filter((row) => row.pool === pool);
      const units = (text: string) => toPoints(BigInt(Math.round(Number(text) * 1e8)));
      const participants = ofPool.map((row) => ({ key: row.rank, points: units(row.points) }));
      expect(ofPool.map((row) => [row.rank, BigInt(row.tokens)])).toEqual(
        shareTokens(tokens, participants).map((share) => [share.key, share.tokens]),
      );
      expect(ofPool.reduce((sum, row) => sum + BigInt(row.tokens), 0n)).toBe(tokens);
    }
  });

  test('snapshot: interrupted before or after any statement it is complete or absent, and taken once', async () => {
    await fillPoints(40);
    await expectOk(create());
    points.time = start + 3 * weekMs;
    const pool = new BreakingPool(points.database.jobs);
    const jobs = { ...points.jobs, pointsJobs: new DatabasePointsJobStore(pool) };
    let breaks = 0;
    for (let statement = 1; ; statement += 1) {
      pool.breakAt(statement, statement % 2 === 0 ? 'before' : 'after');
      const outcome = await advanceSeasons(jobs).then(
        () => 'done',
        () => 'broken',
      );
      if (outcome === 'done') break;
      breaks += 1;
      const [status] = await statuses();
      expect((await rowsOf()).length).toBe(status === 'completed' ? 40 : 0);
    }
    expect(breaks).toBeGreaterThan(8);
    expect(await statuses()).toEqual(['completed']);
    const rows = await rowsOf();
    expect(rows.reduce((sum, row) => sum + Number(row.tokens), 0)).toBe(1070);
    const taken = await points.data('seasons');
    points.time += weekMs;
    await advance();
    expect(await points.data('seasons')).toEqual(taken);
    expect(await rowsOf()).toEqual(rows);
  });

  test('snapshot: two concurrent workers distribute once', async () => {
    await fillPoints(40);
    await expectOk(create());
    points.time = start + 3 * weekMs;
    const results = await Promise.allSettled([advance(), advance(), advance()]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    const rows = await rowsOf();
    expect(rows.reduce((sum, row) => sum + Number(row.tokens), 0)).toBe(1070);
  });
});
