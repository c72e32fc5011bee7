import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  refreshDailyLeaderboard,
  refreshEpochLeaderboards,
} from '../../src/application/points/refresh-leaderboards.ts';
import { PointsService, weekMs } from '../support/points/points-service.ts';
import { baseOf, expectOk, nextAddress, nextMarket, nextUser } from '../support/spot-fixtures.ts';

// What an account sees of its own points, and how trades earn them (contract.md section 7).

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

const nothing = {
  total: '0',
  trading: '0',
  pnl: '0',
  holding: '0',
  referral: '0',
  staking: '0',
};

describe('GET /api/v1/points/me', () => {
  test('me: accepts a token only', async () => {
    expect((await points.get('me')).status).toBe(401);
  });

  test('me: points by type of the active epoch, rank, tier, earn level and weight', async () => {
    const [account, better] = [nextAddress(), nextAddress()];
    expect(await points.data('me', {}, account)).toEqual({
      epoch_number: 1,
      points: nothing,
      points_today: nothing,
      rank: null,
      tier: null,
      earn_level: 0,
      weight: 4,
    });
    await points.credit(better, '5000');
    await points.credit(account, '900');
    await points.credit(account, '100.5', 'pnl');
    expect(await points.data('me', {}, account)).toMatchObject({ rank: null, tier: null });
    await refresh();
    expect(await points.data('me', {}, account)).toEqual({
      epoch_number: 1,
      points: {
        total: '1000.5',
        trading: '0',
        pnl: '100.5',
        holding: '0',
        referral: '0',
        staking: '900',
      },
      points_today: {
        total: '1000.5',
        trading: '0',
        pnl: '100.5',
        holding: '0',
        referral: '0',
        staking: '900',
      },
      rank: 2,
      tier: 'T1',
      earn_level: 1,
      weight: 8,
    });
  });

  test('me: points_today are those of the current UTC day only', async () => {
    const account = nextAddress();
    await points.credit(account, '40', 'trading');
    points.time += dayMs;
    await points.credit(account, '2', 'trading');
    expect(await points.data('me', {}, account)).toMatchObject({
      points: { total: '42', trading: '42' },
      points_today: { total: '2', trading: '2' },
    });
  });

  test('me: the rank is that of the last refresh, whatever has been earned since', async () => {
    const [account, better] = [nextAddress(), nextAddress()];
    await points.credit(better, '50');
    await points.credit(account, '9');
    await refresh();
    await points.credit(account, '900');
    expect(await points.data('me', {}, account)).toMatchObject({ rank: 2 });
    await refresh();
    expect(await points.data('me', {}, account)).toMatchObject({ rank: 1 });
    expect(await points.data('me', {}, better)).toMatchObject({ rank: 2 });
  });

  test('me: every rank in a ranking of several blocks, with ties across their borders', async () => {
    await points.service.query(async (db) => {
      await sql`INSERT INTO accounts (account_id, address, created_at)
        SELECT 500000 + n, '0x' || lpad(to_hex(500000 + n), 40, '0'), now()
        FROM generate_series(1, 2300) AS n`.execute(db);
      await sql`INSERT INTO points_epochs (epoch, account_id, trading, total)
        SELECT 1, 500000 + n, 9 - n / 400, 9 - n / 400
        FROM generate_series(1, 2300) AS n`.execute(db);
    });
    await refresh();
    for (const place of [1, 2, 399, 999, 1000, 1001, 1002, 1999, 2000, 2001, 2300]) {
      const address = `0x${(500_000 + place).toString(16).padStart(40, '0')}` as never;
      expect(await points.data('me', {}, address)).toMatchObject({ rank: place });
    }
  });
});

describe('accrual', () => {
  test('trading: 1 point per USDT of fee, on both sides; referral: 10 % of it', async () => {
    const symbol = await nextMarket(points.service);
    const maker = await nextUser(points.service, { [baseOf(symbol)]: '10' });
    const taker = await nextUser(points.service, { USDT: '1000' });
    const referrer = nextAddress();
    const code = 'POINTS_1';
    const post = (as: typeof maker, path: string, body: unknown) =>
      expectOk(points.service.call({ method: 'POST', path: `/api/v1/referral/${path}`, as, body }));
    await post(referrer, 'codes', { code });
    await post(taker, 'bind', { code });
    await points.trade(symbol, maker, taker);
    const rows = await pointsRows();
    // The maker pays 10 bps of 100 USDT; the taker 20 bps of the token, worth 0.2 USDT.
    expect(rows.get(maker)).toEqual(['0.1', '0', '0.1']);
    expect(rows.get(taker)).toEqual(['0.2', '0', '0.2']);
    expect(rows.get(referrer)).toEqual(['0', '0.02', '0.02']);
  });

  async function pointsRows(): Promise<ReadonlyMap<string, readonly string[]>> {
    await points.jobs.barrier.waitFor(points.jobs.exchange.durableSequence);
    const rows = await points.service.query((db) =>
      db
        .selectFrom('points_days')
        .innerJoin('accounts', 'accounts.account_id', 'points_days.account_id')
        .select(['address', 'trading', 'referral', 'total'])
        .execute(),
    );
    return new Map(
      rows.map((row) => [row.address, [row.trading, row.referral, row.total].map(trimmed)]),
    );
  }
});

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

describe('GET /api/v1/points/epochs', () => {
  const week = (number: number, status: string) => ({
    epoch_number: number,
    starts_at: new Date(start + (number - 1) * weekMs).toISOString(),
    ends_at: new Date(start + number * weekMs).toISOString(),
    status,
  });

  test('epochs: the active one and those before it, newest first, with their Mondays', async () => {
    points.time = start + 2 * weekMs;
    expect(await points.data('epochs')).toEqual({
      items: [week(3, 'active'), week(2, 'ended'), week(1, 'ended')],
      total: 3,
    });
    expect(await points.data('epochs', { limit: '1', offset: '1' })).toEqual({
      items: [week(2, 'ended')],
      total: 3,
    });
    expect(await points.data('epochs', { offset: '3' })).toEqual({ items: [], total: 3 });
  });

  test('epochs: before the first one begins it is upcoming', async () => {
    points.time = start - 1;
    expect(await points.data('epochs')).toEqual({ items: [week(1, 'upcoming')], total: 1 });
  });
});
