import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  daysOfEvents,
  epochOfDays,
  factScales,
  randomEvents,
} from '../../../test/support/points/point-events.ts';
import { amountFromDecimal } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { addFacts, type DayFacts, noFacts } from '../../programs/points/day-facts.ts';
import type { DayNumber, EpochNumber } from '../../programs/points/epochs.ts';
import { decimalOf } from '../column-values.ts';
import { StatementQueue } from '../projector/statement-queue.ts';
import { type AccountDay } from './points-change.ts';
import { keyOfDay, writePoints } from './write-points.ts';

// The benchmark's points are added up inside PostgreSQL. Here the same events go through accrual.

const accounts = 120;
const eventsPerDay = 2_500;
// A Monday and the days after it.
const days = [20_458, 20_459, 20_460] as const;
const firstDay = days[0] as DayNumber;
const uncapped = { firstDay, cappedFrom: 1_000 as EpochNumber };

interface EventRow {
  readonly day: number;
  readonly account_id: string;
  readonly kind: number;
  readonly amount: string;
}

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

function factsOf({ kind, amount }: EventRow): DayFacts {
  const units = amountFromDecimal(decimalOf(amount)) ?? 0n;
  const { profit, profitShift, heldUsdt, refereeFees } = factScales;
  const hourMs = 3_600_000n;
  const facts = [
    { feesPaid: units },
    { realizedProfit: (units - BigInt(profitShift) * 10n ** 8n) * BigInt(profit) },
    { valueHeld: units * BigInt(heldUsdt) * 10n ** 18n * hourMs },
    { refereeFees: units * BigInt(refereeFees) },
  ][kind] as Partial<DayFacts>;
  return addFacts(noFacts, facts);
}

/** One portion as the projector hands it over: an account's day once. */
function portionOf(events: readonly EventRow[]): readonly AccountDay[] {
  const portion = new Map<string, AccountDay>();
  for (const event of events) {
    const accountId = Number(event.account_id) as AccountId;
    const day = event.day as DayNumber;
    const key = keyOfDay(accountId, day);
    const facts = addFacts(portion.get(key)?.facts ?? noFacts, factsOf(event));
    portion.set(key, { accountId, day, facts });
  }
  return [...portion.values()];
}

test("accrual: in any order and batches the events add up to the generator's sums", async () => {
  await opened.database.jobs.withClient(async (client) => {
    const rowsOf = async (table: string) => {
      const { rows } = await client.query(`SELECT * FROM ${table} ORDER BY 1, 2`);
      return rows.map((row: Record<string, unknown>) =>
        Object.values(row).map((value) => Number(value)),
      );
    };
    await client.query(`CREATE TEMP TABLE events AS
      SELECT 0 AS day, * FROM (${randomEvents.replace('$1', '1').replace('$2', '0')}) AS none`);
    for (const day of days) {
      await client.query(
        `INSERT INTO events SELECT $3::integer, * FROM (${randomEvents}) AS made`,
        [accounts, eventsPerDay, day],
      );
    }
    await client.query(daysOfEvents('SELECT * FROM events', 'day'));
    await client.query(epochOfDays);
    const generated = [await rowsOf('points_days'), await rowsOf('points_epochs')];
    expect(generated[0]?.length).toBeGreaterThan(accounts);

    await client.query('TRUNCATE points_days, points_epochs');
    const { rows } = await client.query<EventRow>('SELECT * FROM events ORDER BY random()');
    const statements = new StatementQueue(client);
    for (let from = 0; from < rows.length; ) {
      const to = from + 1 + Math.floor(Math.random() * 900);
      await writePoints(statements, portionOf(rows.slice(from, to)), uncapped);
      from = to;
    }
    expect([await rowsOf('points_days'), await rowsOf('points_epochs')]).toEqual(generated);
  });
});

test('cap: profit and positions of an epoch count up to its fees, those of earlier epochs in full', async () => {
  const account = 900_001 as AccountId;
  const hours = (usdt: bigint) => usdt * 1_000n * 10n ** 26n * 3_600_000n;
  const usdt = (units: number) => amountFromDecimal(decimalOf(String(units))) ?? noFacts.feesPaid;
  const entry = (day: number, facts: Partial<DayFacts>): AccountDay => ({
    accountId: account,
    day: day as DayNumber,
    facts: addFacts(noFacts, facts),
  });
  const monday = firstDay + 7;
  const steps: AccountDay[] = [
    entry(firstDay, { valueHeld: hours(30n) }),
    entry(monday, { valueHeld: hours(30n) }),
    entry(monday, { feesPaid: usdt(10) }),
    entry(monday + 1, { realizedProfit: usdt(40) }),
    entry(monday + 6, { feesPaid: usdt(15), realizedProfit: usdt(20) }),
    entry(monday + 7, { valueHeld: hours(5n) }),
  ];
  await opened.database.jobs.withClient(async (client) => {
    const statements = new StatementQueue(client);
    const terms = { firstDay, cappedFrom: 2 as EpochNumber };
    for (const step of steps) await writePoints(statements, [step], terms);
    const rowsOf = async (table: string, key: string) =>
      (
        await client.query(
          `SELECT ${key} - $2 AS at, trim_scale(trading)::text AS trading,
            trim_scale(pnl)::text AS pnl, trim_scale(holding)::text AS holding,
            trim_scale(total)::text AS total
          FROM ${table} WHERE account_id = $1 ORDER BY 1`,
          [account, key === 'day' ? monday : 0],
        )
      ).rows.map((row: object) => Object.values(row).join(' '));
    expect(await rowsOf('points_epochs', 'epoch')).toEqual([
      '1 0 0 30 30',
      '2 25 6 19 50',
      '3 0 0 0 0',
    ]);
    expect(await rowsOf('points_days', 'day')).toEqual([
      '-7 0 0 30 30',
      '0 10 0 10 20',
      '1 0 4 -4 0',
      '6 15 2 13 30',
      '7 0 0 0 0',
    ]);
  });
});
