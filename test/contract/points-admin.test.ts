import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PointsService, weekMs } from '../support/points/points-service.ts';
import { anyText, expectOk, nextAddress, outcomeOf } from '../support/spot-fixtures.ts';

// Administration of the points program (contract.md section 6) and the earn levels.

const start = Date.UTC(2026, 0, 5);
let points: PointsService;

beforeAll(async () => {
  points = await PointsService.start();
  await points.setEpochStart(start);
  points.time = start + 3_600_000;
});
afterAll(() => points.close());

const invalid = { status: 400, body: { error: 'INVALID_PARAMETER', detail: anyText } };
const ok = { status: 200, body: { ok: true } };

interface Level {
  readonly level: number;
  readonly points_min: number;
  readonly points_max: number | null;
  readonly weight: number;
}
const defaults: readonly Level[] = [
  { level: 0, points_min: 0, points_max: 999, weight: 4 },
  { level: 1, points_min: 1000, points_max: 9999, weight: 8 },
  { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
  { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
  { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
  { level: 5, points_min: 500_000, points_max: null, weight: 120 },
];

const lastAudit = async () => {
  const row = await points.service.query((db) =>
    db
      .selectFrom('admin_audit')
      .select(['action', 'detail', 'admin_actor'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row ?? null;
};

describe('access', () => {
  test.each([
    ['POST', 'points/seasons'],
    ['PUT', 'points/seasons/1'],
    ['PUT', 'points/earn-level-config/1'],
    ['PUT', 'points/earn-level-config'],
    ['POST', 'points/credits'],
  ] as const)('%s %s: accepts the administrator key and nothing else', async (method, path) => {
    const call = { method, path: `/api/v1/admin/${path}`, body: {} };
    const refused = { status: 401, body: { error: 'UNAUTHORIZED' } };
    expect(await outcomeOf(points.service.call(call))).toEqual(refused);
    const headers = { 'x-api-key': 'x' };
    expect(await outcomeOf(points.service.call({ ...call, headers }))).toEqual(refused);
    expect(await outcomeOf(points.service.call({ ...call, as: nextAddress() }))).toEqual(refused);
  });
});

describe('earn levels', () => {
  const levels = async () => (await points.data('earn-level-config')) as Level[];
  const setAll = (rows: readonly object[]) =>
    points.admin('PUT', 'points/earn-level-config', { levels: rows });
  const setOne = (level: number | string, body: unknown) =>
    points.admin('PUT', `points/earn-level-config/${level}`, body);

  test('earn-level-config: the default rows, never edited', async () => {
    expect(await levels()).toEqual(
      defaults.map((row) => ({ ...row, updated_at: anyText, updated_by: null })),
    );
  });

  test('PUT :level: changes the given fields, records when and by whom, and leaves an audit row', async () => {
    points.time = start + 7_200_000;
    expect(await outcomeOf(setOne(3, { weight: 30 }))).toEqual(ok);
    const rows = await levels();
    expect(rows[3]).toEqual({
      level: 3,
      points_min: 50_000,
      points_max: 199_999,
      weight: 30,
      updated_at: new Date(points.time).toISOString(),
      updated_by: 'admin_api_key',
    });
    expect(rows[2]).toMatchObject({ updated_by: null });
    expect(await lastAudit()).toMatchObject({
      action: 'set_points_earn_levels',
      admin_actor: 'admin_api_key',
    });
  });

  test.each([
    [2, { points_min: 10_001 }],
    [2, { points_min: 9_999 }],
    [2, { points_max: 50_000 }],
    [5, { points_max: 600_000 }],
    [1, { points_max: null }],
    [0, { points_min: 1 }],
    [0, { points_min: -1 }],
    [0, { weight: 1.5 }],
    [0, { weight: -1 }],
    [0, { weight: null }],
    [0, {}],
    [0, { min_points: 0 }],
    [6, { weight: 1 }],
    [-1, { weight: 1 }],
    ['x', { weight: 1 }],
  ])('PUT %s %j: the rows must stay gapless, the fields well formed', async (level, body) => {
    const before = await levels();
    expect(await outcomeOf(setOne(level, body))).toEqual(invalid);
    expect(await levels()).toEqual(before);
  });

  test('PUT: all six rows at once move boundaries', async () => {
    const moved = defaults.map((row) => ({
      ...row,
      ...(row.level === 0 ? { points_max: 499 } : {}),
      ...(row.level === 1 ? { points_min: 500 } : {}),
    }));
    expect(await outcomeOf(setAll(moved))).toEqual(ok);
    expect(await levels()).toMatchObject(moved);
    const account = nextAddress();
    await points.credit(account, '500');
    expect(await points.data('me', {}, account)).toMatchObject({ earn_level: 1, weight: 8 });
    expect(await outcomeOf(setAll(defaults))).toEqual(ok);
    expect(await points.data('me', {}, account)).toMatchObject({ earn_level: 0, weight: 4 });
  });

  test.each([
    ['five rows', defaults.slice(0, 5)],
    ['a level twice', [...defaults.slice(0, 5), defaults[4]]],
    ['a gap', defaults.map((row) => (row.level === 0 ? { ...row, points_max: 998 } : row))],
    ['no weight', defaults.map(({ weight: _weight, ...row }) => row)],
  ])('PUT: %s is malformed', async (_name, rows) => {
    expect(await outcomeOf(setAll(rows as object[]))).toEqual(invalid);
  });
});

describe('POST /api/v1/admin/points/credits', () => {
  const credit = (change: object = {}) =>
    points.admin('POST', 'points/credits', {
      reference: 'staking-1',
      user_address: nextAddress(),
      type: 'staking',
      points: '5',
      ...change,
    });

  test('credits: the same reference twice counts once; the write is audited', async () => {
    const account = nextAddress();
    const body = { reference: 'once', user_address: account, points: '2.5' };
    expect(await outcomeOf(credit(body))).toEqual(ok);
    expect(await lastAudit()).toEqual({
      action: 'credit_points',
      detail: { reference: 'once', address: account, type: 'staking', points: '2.5' },
      admin_actor: 'admin_api_key',
    });
    expect(await outcomeOf(credit({ ...body, points: '9' }))).toEqual(ok);
    expect(await outcomeOf(credit({ ...body, user_address: nextAddress() }))).toEqual(ok);
    expect(await points.data('me', {}, account)).toMatchObject({ points: { staking: '2.5' } });
  });

  test('credits: concurrent ones with one reference count once', async () => {
    const account = nextAddress();
    const body = { reference: 'race', user_address: account, points: 3 };
    await Promise.all(Array.from({ length: 8 }, () => expectOk(credit(body))));
    expect(await points.data('me', {}, account)).toMatchObject({ points: { total: '3' } });
  });

  test('credits: addresses in any letter case are one account', async () => {
    const account = nextAddress();
    const shouted = `0x${account.slice(2).toUpperCase()}`;
    await expectOk(credit({ reference: 'shouted', user_address: shouted, type: 'holding' }));
    expect(await points.data('me', {}, account)).toMatchObject({ points: { holding: '5' } });
  });

  test.each([
    [{ points: '0' }],
    [{ points: '-1' }],
    [{ points: '0.000000001' }],
    [{ points: '1000000000001' }],
    [{ points: '1e3' }],
    [{ points: null }],
    [{ type: 'total' }],
    [{ type: 'volume' }],
    [{ reference: '' }],
    [{ reference: null }],
    [{ reference: 'x'.repeat(101) }],
    [{ user_address: '0x12' }],
    [{ note: 'x' }],
  ])('credits: %j is malformed', async (change) => {
    expect(await outcomeOf(credit(change))).toEqual(invalid);
  });

  test('credits: before the first epoch there is no epoch to credit', async () => {
    points.time = start - 1;
    expect(await outcomeOf(credit({ reference: 'early' }))).toEqual(invalid);
    points.time = start + weekMs;
  });

  test('credits: a database that fails is DB_ERROR, and nothing is counted', async () => {
    points.service.isDatabaseDown = true;
    const reply = await outcomeOf(credit({ reference: 'down' }));
    points.service.isDatabaseDown = false;
    expect(reply).toEqual({ status: 500, body: { error: 'DB_ERROR' } });
  });
});
