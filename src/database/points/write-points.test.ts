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
import type { DayNumber } from '../../programs/points/epochs.ts';
import { StatementQueue } from '../projector/statement-queue.ts';
import { decimalOf } from '../referral/decimal-columns.ts';
import { type AccountDay, keyOfDay, writePoints } from './write-points.ts';

// The benchmark's points are added up inside PostgreSQL. Here the same events go through accrual.

const accounts = 120;
const eventsPerDay = 2_500;
// A Monday and the days after it.
const days = [20_458, 20_459, 20_460] as const;
const firstDay = days[0] as DayNumber;

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

test('accrual: in any order and portions it makes of events what the generator sums them to', async () => {
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
      await writePoints(statements, portionOf(rows.slice(from, to)), firstDay);
      from = to;
    }
    expect([await rowsOf('points_days'), await rowsOf('points_epochs')]).toEqual(generated);
  });
});
