import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FuturesOutcomes } from '../../../test/support/futures-outcomes.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { startProjector } from '../../../test/support/project-log.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { SignedLots } from '../../domain/futures-position.ts';
import type { AccountId, TimestampMs } from '../../domain/identifiers.ts';
import { addFacts, type DayFacts, noFacts } from '../../programs/points/day-facts.ts';
import { type DayNumber, dayOf, epochOfDay } from '../../programs/points/epochs.ts';
import {
  addEarned,
  capByFees,
  type EpochEarned,
  nothingEarned,
} from '../../programs/points/fee-cap.ts';
import { Holdings, settlingMoments } from '../../programs/points/holdings.ts';
import { formatPoints, type Points, toPoints } from '../../programs/points/points.ts';
import type { PointsByType } from '../../programs/points/points-types.ts';
import { countPoints, totalPoints } from '../../programs/points/registry.ts';
import { loadFirstPointsDay, writeEpochStart } from '../points/epoch-setting.ts';
import { DatabasePointsJobStore } from '../points/points-job-store.ts';
import type { PositionBarrier } from '../projector/position-barrier.ts';
import type { Projector } from '../projector/projector.ts';

// What the projector counts batch by batch is what the pure rules count of the whole at once.

// The flow of outcomes begins on a Friday evening; this is the Monday before.
const start = Date.UTC(2026, 1, 23);
const firstDay = dayOf(start as TimestampMs);

let test: TestDatabase;
let log: MemoryOutcomeLog;
let running: Projector[];

beforeEach(async () => {
  test = await openTestDatabase();
  log = new MemoryOutcomeLog();
  running = [];
  await test.database.accounts.withClient((client) => writeEpochStart(client, start / 1000));
});
afterEach(async () => {
  await Promise.all(running.map((projector) => projector.stop()));
  await test.close();
});

/** Starts another projector, which is stopped after the test. */
function project(): PositionBarrier {
  const { projector, barrier } = startProjector(test, log);
  running.push(projector);
  return barrier;
}

/** Trades, positions and marks over some days. */
function makeOutcomes(seed: number, count: number): readonly AppliedCommand[] {
  const flow = new FuturesOutcomes({ seed });
  flow.open();
  for (let step = 0; step < count; step += 1) {
    flow.trade(1);
    if (step % 5 !== 0) continue;
    flow.add([
      {
        type: 'markPriceChanged',
        marketId: flow.draw(2) as FuturesMarketId,
        indexPrice: toAmount(0n),
        markPrice: toAmount(BigInt(flow.draw(1_000_000) + 1) * 1_000_000n),
        isIndexStale: false,
        fundingRate: 0n as never,
        nextFundingTime: flow.time as TimestampMs,
      },
      {
        type: 'positionChanged',
        position: {
          accountId: (1 + flow.draw(flow.accounts)) as AccountId,
          marketId: flow.draw(2) as FuturesMarketId,
          quantity: (flow.draw(400) - 200) as SignedLots,
          entryNotional: toAmount(1n),
          realizedProfit: toAmount(0n),
          fees: toAmount(0n),
          updatedAt: flow.time as TimestampMs,
        },
      },
    ]);
  }
  return flow.outcomes;
}

type Days = Map<string, DayFacts>;

/** The facts of every day, from the outcomes as a whole. */
function factsOf(outcomes: readonly AppliedCommand[]): Days {
  const days: Days = new Map();
  const add = (account: AccountId, day: DayNumber, facts: Partial<DayFacts>) => {
    const key = `${day} ${account}`;
    days.set(key, addFacts(days.get(key) ?? noFacts, facts));
  };
  const lotSizes = new Map<number, bigint>();
  const holdings = new Holdings([], []);
  let time: TimestampMs | null = null;
  for (const { timestamp, events } of outcomes) {
    for (const event of events) {
      if (event.type === 'futuresMarketCreated') {
        lotSizes.set(event.market.marketId, event.market.lotSize);
      }
      if (event.type === 'futuresTradeExecuted') {
        for (const { accountId, fee, realizedProfit } of [event.trade.maker, event.trade.taker]) {
          if (fee > 0n) add(accountId, dayOf(timestamp), { feesPaid: fee });
          if (realizedProfit !== 0n) add(accountId, dayOf(timestamp), { realizedProfit });
        }
      }
      if (event.type !== 'markPriceChanged' && event.type !== 'positionChanged') continue;
      for (const moment of settlingMoments(time ?? timestamp, timestamp)) {
        holdings.settleAll(moment);
      }
      time = timestamp;
      if (event.type === 'markPriceChanged') {
        holdings.setMark(event.marketId, event.markPrice, timestamp);
        continue;
      }
      const { accountId, marketId, quantity } = event.position;
      const size = BigInt(Math.abs(quantity)) * (lotSizes.get(marketId) ?? 0n);
      holdings.setQuantity({ accountId, marketId }, size as Decimal, timestamp);
    }
  }
  for (const { accountId, day, valueHeld } of holdings.earned) add(accountId, day, { valueHeld });
  return days;
}

interface PointsRow {
  readonly trading: string;
  readonly pnl: string;
  readonly holding: string;
  readonly referral: string;
  readonly staking: string;
  readonly total: string;
}

/** The points of every day, capped by the fees that its account has paid in the epoch by then. */
function countedDays(outcomes: readonly AppliedCommand[]): Map<string, PointsRow> {
  const sums = new Map<string, EpochEarned>();
  const inOrder = [...factsOf(outcomes)]
    .map(([key, facts]) => ({ key, facts, day: Number(key.split(' ')[0]) as DayNumber }))
    .sort((left, right) => left.day - right.day);
  return new Map(
    inOrder.map(({ key, facts, day }) => {
      const of = `${epochOfDay(day, firstDay)} ${key.split(' ')[1]}`;
      const points = countPoints(facts);
      const before = sums.get(of) ?? nothingEarned;
      const after = addEarned(before, { ...points, feesPaid: facts.feesPaid });
      sums.set(of, after);
      const [had, has] = [capByFees(before), capByFees(after)];
      const pnl = toPoints(has.pnl - had.pnl);
      const holding = toPoints(has.holding - had.holding);
      return [key, texts({ ...points, pnl, holding })] as const;
    }),
  );
}

function texts(points: PointsByType): PointsRow {
  const { trading, pnl, holding, referral, staking } = points;
  return {
    trading: formatPoints(trading),
    pnl: formatPoints(pnl),
    holding: formatPoints(holding),
    referral: formatPoints(referral),
    staking: formatPoints(staking),
    total: formatPoints(totalPoints(points)),
  };
}

async function storedDays(): Promise<ReadonlyMap<string, PointsRow>> {
  const { rows } = await test.database.reads.query((db) =>
    sql<PointsRow & { day: number; account_id: string }>`
      SELECT day, account_id, trim_scale(trading)::text AS trading, trim_scale(pnl)::text AS pnl,
        trim_scale(holding)::text AS holding, trim_scale(referral)::text AS referral,
        trim_scale(staking)::text AS staking, trim_scale(total)::text AS total
      FROM points_days`.execute(db),
  );
  return new Map(rows.map(({ day, account_id: account, ...row }) => [`${day} ${account}`, row]));
}

describe('points', () => {
  it.each([
    [1, 1],
    [2, 7],
    [3, 5_000],
  ])(
    'points: the sum of the batches equals a rebuild (seed %i, batches of %i)',
    async (seed, batchMax) => {
      const outcomes = makeOutcomes(seed, 150);
      log.batchMax = batchMax;
      const barrier = project();
      log.append(...outcomes);
      await barrier.waitFor(log.last);
      const expected = countedDays(outcomes);
      expect(await storedDays()).toEqual(expected);
      expect(new Set([...expected.keys()].map((key) => key.split(' ')[0])).size).toBeGreaterThan(1);
      expect([...expected.values()].some(({ holding }) => holding !== '0')).toBe(true);
      expect([...expected.values()].some(({ pnl }) => pnl !== '0')).toBe(true);
      await expectEpochsToBeSums(expected);
    },
  );

  async function expectEpochsToBeSums(days: ReadonlyMap<string, PointsRow>): Promise<void> {
    const sums = new Map<string, Points>();
    for (const [key, { total }] of days) {
      const [day, account] = key.split(' ');
      const epoch = epochOfDay(Number(day) as DayNumber, firstDay);
      const units = unitsOf(total);
      const of = `${epoch} ${account}`;
      sums.set(of, toPoints((sums.get(of) ?? 0n) + units));
    }
    const { rows } = await test.database.reads.query((db) =>
      sql<{ key: string; total: string }>`
        SELECT epoch || ' ' || account_id AS key, trim_scale(total)::text AS total
        FROM points_epochs WHERE total > 0`.execute(db),
    );
    expect(new Map(rows.map(({ key, total }) => [key, total]))).toEqual(
      new Map([...sums].flatMap(([key, sum]) => (sum > 0n ? [[key, formatPoints(sum)]] : []))),
    );
  }

  function unitsOf(text: string): bigint {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(8, '0'));
  }

  it('points: two projectors and repeated outcomes count once', async () => {
    const outcomes = makeOutcomes(4, 120);
    log.batchMax = 9;
    const first = project();
    log.append(...outcomes.slice(0, 60));
    await first.waitFor(60 as never);
    await running[0]?.stop();
    // The next projector is offered everything from the beginning, as after a restart.
    const second = project();
    log.append(...outcomes.slice(60));
    await second.waitFor(log.last);
    expect(await storedDays()).toEqual(countedDays(outcomes));
  });

  it('points: days before the first epoch earn nothing', async () => {
    await test.database.accounts.withClient((client) =>
      writeEpochStart(client, start / 1000 + 7 * 86_400 * 50),
    );
    const barrier = project();
    log.append(...makeOutcomes(5, 60));
    await barrier.waitFor(log.last);
    expect(await storedDays()).toEqual(new Map());
  });
});

describe('POINTS_EPOCH_START', () => {
  const kept = () => test.database.reads.withClient(loadFirstPointsDay);

  it('start: a Monday from the first start on; the setting replaces it while nothing is counted', async () => {
    expect(await kept()).toBe(firstDay);
    await test.database.accounts.withClient((client) =>
      writeEpochStart(client, start / 1000 - 7 * 86_400),
    );
    expect(await kept()).toBe(firstDay - 7);
  });

  it('start: once points are counted a different setting is refused', async () => {
    await test.database.accounts.withClient(async (client) => {
      await client.query('INSERT INTO points_days (day, account_id) VALUES (20000, 1)');
      await writeEpochStart(client, start / 1000);
    });
    const other = test.database.accounts.withClient((client) =>
      writeEpochStart(client, start / 1000 + 7 * 86_400),
    );
    await expect(other).rejects.toThrow(/POINTS_EPOCH_START/);
    expect(await kept()).toBe(firstDay);
  });
});

describe('leaderboards', () => {
  it('leaderboards: incremental refreshes equal a rebuild from the same points', async () => {
    const jobs = new DatabasePointsJobStore(test.database.jobs);
    const now = (start + 1) as TimestampMs;
    const run = (text: string) =>
      test.database.jobs.withClient((client) => client.query<Record<string, unknown>>(text));
    await run(`INSERT INTO accounts (account_id, address, created_at)
      SELECT n, '0x' || lpad(to_hex((n * 7919) % 100003), 40, '0'), now()
      FROM generate_series(1, 2500) AS n`);
    const blocks = async () =>
      (
        await run(`SELECT board, rank_type, block, first_points, first_address, account_ids, points
          FROM points_board_blocks ORDER BY board, rank_type, block`)
      ).rows;
    for (let round = 0; round < 6; round += 1) {
      // Some come, some gain, some lose their profit again, some fall to nothing.
      await run(`INSERT INTO points_epochs AS row (epoch, account_id, trading, pnl, total)
        SELECT 1, n, n % 9, n % 5, n % 9 + n % 5 FROM generate_series(1, 2500) AS n
        WHERE (n * 31 + ${round} * 17) % 11 < 4
        ON CONFLICT (epoch, account_id) DO UPDATE SET
          pnl = CASE WHEN row.account_id % 3 = 0 THEN 0 ELSE row.pnl + ${round} END,
          trading = CASE WHEN row.account_id % 13 = ${round} THEN 0 ELSE row.trading + 1 END`);
      await run('UPDATE points_epochs SET total = trading + pnl');
      await run(`INSERT INTO points_days AS row (day, account_id, trading, total)
        SELECT ${firstDay}, account_id, trading, total FROM points_epochs
        ON CONFLICT (day, account_id) DO UPDATE SET total = excluded.total`);
      await jobs.refreshEpoch(1 as never, { now, isFinal: false });
      await jobs.refreshDay(firstDay, now);
      const incremental = await blocks();
      await run('TRUNCATE points_boards, points_ranked, points_board_blocks');
      await jobs.refreshEpoch(1 as never, { now, isFinal: false });
      await jobs.refreshDay(firstDay, now);
      expect(await blocks()).toEqual(incremental);
      expect(incremental.length).toBeGreaterThan(3);
    }
  });
});
