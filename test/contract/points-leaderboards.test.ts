import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  refreshDailyLeaderboard,
  refreshEpochLeaderboards,
} from '../../src/application/points/refresh-leaderboards.ts';
import { demoAddress } from '../../src/domain/demo-accounts.ts';
import { PointsService, weekMs } from '../support/points/points-service.ts';
import { expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';

// interface.md area 4 and contract.md section 7, in their words.

const dayMs = 86_400_000;
let points: PointsService;

beforeAll(async () => {
  points = await PointsService.start();
});
afterAll(() => points.close());

const start = Date.UTC(2026, 0, 5);
beforeEach(async () => {
  points.time = start + 1.5 * dayMs;
  await points.service.query(async (db) => {
    for (const table of ['days', 'epochs', 'boards', 'ranked', 'board_blocks']) {
      await sql`TRUNCATE ${sql.ref(`points_${table}`)}`.execute(db);
    }
  });
  await points.setEpochStart(start);
});

const refresh = async (): Promise<void> => {
  await refreshEpochLeaderboards(points.jobs);
  await refreshDailyLeaderboard(points.jobs);
};

interface Board {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

test('leaderboard: pages by offset', async () => {
  const traders = Array.from({ length: 5 }, () => nextAddress());
  for (const [index, trader] of traders.entries()) {
    await points.credit(trader, String(50 - index), 'trading');
  }
  await refresh();
  const page = (await points.data('leaderboard', {
    type_: 'trading',
    limit: '2',
    offset: '2',
  })) as Board;
  expect(page).toMatchObject({
    total: 2,
    entries: [
      { rank: 3, user_address: traders[2], points: '48' },
      { rank: 4, user_address: traders[3], points: '47' },
    ],
  });
});

test('traders of the demonstration are on no leaderboard', async () => {
  const trader = nextAddress();
  const demoAccounts = [
    demoAddress({ kind: 'spot', marketId: 0, role: 1, isRanked: false }),
    demoAddress({ kind: 'futures', marketId: 3, role: 2, isRanked: false }),
  ];
  for (const account of [...demoAccounts, trader]) {
    await points.credit(account, '5', 'trading');
  }
  await refresh();
  for (const board of ['leaderboard', 'leaderboard?type_=trading', 'leaderboard/daily']) {
    const [path = '', query = ''] = board.split('?');
    const { entries } = (await points.data(
      path,
      Object.fromEntries(new URLSearchParams(query)),
    )) as Board;
    expect({ board, addresses: entries.map(({ user_address: address }) => address) }).toEqual({
      board,
      addresses: [trader],
    });
  }
});

describe('GET /api/v1/points/leaderboard', () => {
  const leaderboard = (query: Record<string, string> = {}) =>
    points.data('leaderboard', query) as Promise<Board>;

  test('envelope: success, data, error null, timestamp in Unix seconds; no authentication', async () => {
    const body = await expectOk(points.get('leaderboard'));
    expect(body).toEqual({
      success: true,
      data: {
        epoch_number: 1,
        rank_type: 'total',
        entries: [],
        total: 0,
        updated_at: '2026-01-05T00:00:00.000Z',
      },
      error: null,
      timestamp: expect.any(Number) as number,
    });
    const { timestamp } = body as { timestamp: number };
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(60);
  });

  test('entries: ordered by points, then address; ranks without ties; names and tiers', async () => {
    const [first, second, third] = [nextAddress(), nextAddress(), nextAddress()];
    await points.credit(third, '5');
    await points.credit(first, '5');
    await points.credit(second, '7.25');
    await expectOk(
      points.service.call({
        method: 'PUT',
        path: '/api/v1/account/profile',
        as: second,
        body: { username: 'second' },
      }),
    );
    expect(await leaderboard()).toMatchObject({ entries: [], total: 0 });
    await refresh();
    expect(await leaderboard()).toEqual({
      epoch_number: 1,
      rank_type: 'total',
      entries: [
        { rank: 1, user_address: second, username: 'second', points: '7.25', tier: 'T1' },
        { rank: 2, user_address: first, username: null, points: '5', tier: 'T1' },
        { rank: 3, user_address: third, username: null, points: '5', tier: 'T1' },
      ],
      total: 3,
      updated_at: new Date(points.time).toISOString(),
    });
  });

  test('total: the count of entries in this response, after the limit', async () => {
    for (let index = 0; index < 3; index += 1) await points.credit(nextAddress(), '1');
    await refresh();
    expect(await leaderboard({ limit: '2' })).toMatchObject({ total: 2 });
    expect((await leaderboard({ limit: '2' })).entries).toHaveLength(2);
    expect(await leaderboard({ limit: '1000' })).toMatchObject({ total: 3 });
  });

  test('tiers and the default limit: T1 ranks 1-10, T2 11-100, T3 below; 100 entries', async () => {
    await points.service.query(async (db) => {
      await sql`INSERT INTO accounts (account_id, address, created_at)
        SELECT 900000 + n, '0x' || lpad(to_hex(900000 + n), 40, '0'), now()
        FROM generate_series(1, 120) AS n`.execute(db);
      await sql`INSERT INTO points_epochs (epoch, account_id, holding, total)
        SELECT 1, 900000 + n, n, n FROM generate_series(1, 120) AS n`.execute(db);
    });
    await refresh();
    expect(await leaderboard()).toMatchObject({ total: 100 });
    const { entries } = await leaderboard({ limit: '120', type_: 'holding' });
    expect(entries.map(({ rank }) => rank)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    expect(entries.map(({ points: each }) => each)).toEqual(
      Array.from({ length: 120 }, (_, at) => String(120 - at)),
    );
    const tiers = entries.map(({ tier }) => tier);
    expect([tiers[0], tiers[9], tiers[10], tiers[99], tiers[100], tiers[119]]).toEqual([
      'T1',
      'T1',
      'T2',
      'T2',
      'T3',
      'T3',
    ]);
  });

  test.each(['trading', 'pnl', 'holding', 'referral', 'staking'])(
    'type_: %s ranks by these points alone',
    async (type) => {
      const [one, other] = [nextAddress(), nextAddress()];
      await points.credit(one, '3', type);
      await points.credit(other, '9', type === 'pnl' ? 'trading' : 'pnl');
      await refresh();
      expect(await leaderboard({ type_: type })).toMatchObject({
        rank_type: type,
        entries: [{ rank: 1, user_address: one, points: '3' }],
        total: 1,
      });
    },
  );

  test('epoch: default 1, also in a later one; each has its own points', async () => {
    const [early, late] = [nextAddress(), nextAddress()];
    await points.credit(early, '3');
    points.time += weekMs;
    await points.credit(late, '4');
    await refresh();
    expect(await leaderboard()).toMatchObject({ entries: [{ user_address: early, points: '3' }] });
    expect(await leaderboard({ epoch: '2' })).toMatchObject({
      epoch_number: 2,
      entries: [{ user_address: late, points: '4' }],
    });
    expect(await leaderboard({ epoch: '7' })).toMatchObject({ epoch_number: 7, entries: [] });
  });

  test.each([
    ['type_', 'volume'],
    ['type_', 'TOTAL'],
    ['type', 'total'],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'x'],
    ['epoch', '0'],
    ['epoch', '-1'],
    ['epoch', '1e3'],
    ['epoch', '99999999999'],
  ])('malformed: %s=%s is 400 INVALID_PARAMETER', async (name, value) => {
    const { status, body } = await outcomeOf(points.get('leaderboard', { [name]: value }));
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      data: null,
      error: { code: 'INVALID_PARAMETER' },
    });
  });

  test('an epoch that ended is refreshed once more and then left alone', async () => {
    const account = nextAddress();
    await points.credit(account, '3');
    await refresh();
    points.time = start + weekMs + 60_000;
    await refresh();
    const { is_final: isFinal } = await points.service.query((db) =>
      db
        .selectFrom('points_boards')
        .select('is_final')
        .where('board', '=', 1)
        .executeTakeFirstOrThrow(),
    );
    expect(isFinal).toBe(true);
    expect(await points.jobs.pointsJobs.listOpenEpochs(2 as never)).toEqual([2]);
  });
});

describe('GET /api/v1/points/leaderboard/daily', () => {
  const daily = (query: Record<string, string> = {}) =>
    points.data('leaderboard/daily', query) as Promise<Board>;

  test('daily: empty before the first run of the day', async () => {
    await points.credit(nextAddress(), '3');
    expect(await daily()).toEqual({
      date: '2026-01-06',
      epoch_number: 1,
      refreshed_at: '2026-01-06T00:00:00Z',
      total: 0,
      entries: [],
    });
  });

  test('daily: only what was earned since UTC 00:00; refreshed_at to the minute', async () => {
    const account = nextAddress();
    points.time -= dayMs;
    await points.credit(account, '100');
    points.time += dayMs;
    await points.credit(account, '3.5');
    points.time += 61_234;
    await refresh();
    expect(await daily()).toEqual({
      date: '2026-01-06',
      epoch_number: 1,
      refreshed_at: '2026-01-06T12:01:00Z',
      total: 1,
      entries: [{ rank: 1, user_address: account, points_today: '3.5', tier: 'T1' }],
    });
  });

  test("daily: the tier is the user's epoch tier, null while unranked", async () => {
    await points.credit(nextAddress(), '3.5');
    await refreshDailyLeaderboard(points.jobs);
    expect(await daily()).toMatchObject({ entries: [{ tier: null }] });
    await refreshEpochLeaderboards(points.jobs);
    expect(await daily()).toMatchObject({ entries: [{ tier: 'T1' }] });
  });

  test('daily: limit default 10, clamped to 1-50; offset pages; total is not capped', async () => {
    await points.service.query(async (db) => {
      await sql`INSERT INTO accounts (account_id, address, created_at)
        SELECT 700000 + n, '0x' || lpad(to_hex(700000 + n), 40, '0'), now()
        FROM generate_series(1, 2100) AS n`.execute(db);
      await sql`INSERT INTO points_days (day, account_id, trading, total)
        SELECT ${start / dayMs + 1}::integer, 700000 + n, n, n
        FROM generate_series(1, 2100) AS n`.execute(db);
    });
    await refresh();
    const lengthOf = async (query: Record<string, string>) => (await daily(query)).entries.length;
    expect(await lengthOf({})).toBe(10);
    expect(await lengthOf({ limit: '50' })).toBe(50);
    expect(await lengthOf({ limit: '51' })).toBe(50);
    expect(await lengthOf({ limit: '100000' })).toBe(50);
    expect(await lengthOf({ limit: '0' })).toBe(1);
    expect(await lengthOf({ limit: '-7' })).toBe(1);
    expect(await daily({ limit: '1' })).toMatchObject({ total: 2100 });
    const ranksAt = async (offset: number) =>
      (await daily({ limit: '50', offset: String(offset) })).entries.map((entry) => [
        entry['rank'],
        entry['points_today'],
      ]);
    const expected = (offset: number, count: number) =>
      Array.from({ length: count }, (_, at) => [offset + at + 1, String(2100 - offset - at)]);
    expect(await ranksAt(50)).toEqual(expected(50, 50));
    // Across the border of two blocks, and across the end.
    expect(await ranksAt(975)).toEqual(expected(975, 50));
    expect(await ranksAt(2080)).toEqual(expected(2080, 20));
    expect(await ranksAt(2100)).toEqual([]);
    expect(await ranksAt(1_000_000)).toEqual([]);
  });

  test.each([
    ['offset', '-1'],
    ['offset', 'x'],
    ['limit', 'x'],
    ['limit', '1.5'],
    ['epoch', '0'],
  ])('malformed: %s=%s is 400 INVALID_PARAMETER', async (name, value) => {
    const { status, body } = await outcomeOf(points.get('leaderboard/daily', { [name]: value }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: 'INVALID_PARAMETER' } });
  });

  test('epoch: the active one by default; any other has nothing today', async () => {
    points.time += weekMs;
    await points.credit(nextAddress(), '1');
    await refresh();
    expect(await daily()).toMatchObject({ epoch_number: 2, total: 1 });
    expect(await daily({ epoch: '2' })).toMatchObject({ epoch_number: 2, total: 1 });
    expect(await daily({ epoch: '1' })).toMatchObject({ epoch_number: 1, total: 0, entries: [] });
  });

  test("midnight: the first run purges the day before; until then today's list is empty", async () => {
    const [yesterday, today] = [nextAddress(), nextAddress()];
    await points.credit(yesterday, '9');
    await refresh();
    points.time += dayMs;
    expect(await daily()).toMatchObject({ date: '2026-01-07', total: 0, entries: [] });
    await points.credit(today, '1');
    await refresh();
    expect(await daily()).toMatchObject({
      date: '2026-01-07',
      total: 1,
      entries: [{ user_address: today, points_today: '1' }],
    });
    const rows = await points.service.query((db) =>
      db.selectFrom('points_ranked').selectAll().where('board', '=', 0).execute(),
    );
    expect(rows).toHaveLength(1);
  });

  test('midnight during a refresh: no row of two days is mixed', async () => {
    const [yesterday, today] = [nextAddress(), nextAddress()];
    const moment = points.time;
    await points.credit(yesterday, '9');
    // The refresh began before midnight; by the time it reads, today has points too.
    points.time = moment + dayMs;
    await points.credit(today, '1');
    points.time = moment;
    await refreshDailyLeaderboard(points.jobs);
    expect(await daily()).toMatchObject({
      date: '2026-01-06',
      entries: [{ user_address: yesterday, points_today: '9' }],
      total: 1,
    });
    points.time = moment + dayMs;
    expect(await daily()).toMatchObject({ date: '2026-01-07', entries: [], total: 0 });
    await refreshDailyLeaderboard(points.jobs);
    // A process whose clock is behind cannot bring yesterday back.
    points.time = moment;
    await refreshDailyLeaderboard(points.jobs);
    points.time = moment + dayMs;
    expect(await daily()).toMatchObject({ entries: [{ user_address: today }], total: 1 });
  });
});
