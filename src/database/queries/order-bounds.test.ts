import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { firstOrderFrom } from './order-bounds.ts';

const start = Date.parse('2026-01-05T12:00:00Z');

/** Numbers with gaps, and several orders of one millisecond. */
const orders = Array.from({ length: 300 }, (_, place) => ({
  number: 7 + place * 3 + (place > 100 ? 5_000 : 0) + (place > 250 ? 1_000_000_000_000 : 0),
  time: start + Math.floor(place / 4) * 10 + (place > 200 ? 86_400_000 : 0),
}));

let test: TestDatabase;

async function numberFrom(time: number): Promise<number | null> {
  const query = sql<{ number: string | null }>`
    SELECT ${firstOrderFrom('spot_orders', time)} AS number`;
  const { rows } = await test.database.reads.query((db) => query.execute(db));
  const number = rows[0]?.number ?? null;
  return number === null ? null : Number(number);
}

beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

it('order bounds: none without orders', async () => {
  expect(await numberFrom(start)).toBeNull();
});

it('order bounds: exactly the orders of the time and later have the number or a higher one', async () => {
  await test.database.projector.withClient((client) =>
    client.query(
      `INSERT INTO spot_orders (order_number, account_id, market_id, side, type, tif, price, quantity,
         filled_quantity, filled_quote_quantity, status, created_at, updated_at, updated_sequence)
       SELECT n, 1, 0, 'buy', 'limit', 'gtc', 1, 1, 0, 0, 'canceled', at, at, 1
       FROM (SELECT n, to_timestamp(t / 1000) AS at FROM unnest($1::bigint[], $2::float8[]) AS r (n, t)
       ) AS made`,
      [orders.map(({ number }) => number), orders.map(({ time }) => time)],
    ),
  );
  const times = orders.flatMap(({ time }) => [time - 1, time, time + 1]);
  for (const time of new Set([0, ...times, start + 400 * 86_400_000])) {
    const bound = await numberFrom(time);
    expect(orders.filter(({ number }) => bound !== null && number >= bound)).toEqual(
      orders.filter((order) => order.time >= time),
    );
  }
});
