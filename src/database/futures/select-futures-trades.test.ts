import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import type { MarketTradeFilter } from '../../application/ports/futures-history.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { TradeId } from '../../domain/identifiers.ts';
import { marketTradesQuery, selectMarketTrades } from './select-futures-trades.ts';

const marketId = 1 as FuturesMarketId;
const begun = Date.UTC(2026, 1, 27, 21, 30);
const count = 20_000;
let harness: TestDatabase;

// Trade n is of the nth half second, two to a time; every tenth is off the book.
const timeOf = (id: number) => begun + Math.floor(id / 2) * 1_000;
const all = Array.from({ length: count }, (_, index) => index + 1).filter((id) => id % 10 !== 0);

beforeAll(async () => {
  harness = await openTestDatabase();
  await harness.database.jobs.query((db) =>
    sql`
      INSERT INTO futures_trades (trade_number, trade_id, market_id, price, quantity,
        quote_quantity, taker_side, is_off_book, maker_order_number, taker_order_number,
        maker_account_id, taker_account_id, maker_fee, taker_fee, maker_profit, taker_profit,
        created_at, sequence)
      SELECT 7 + n, n, ${marketId}::integer, 1, 1, 1, 'buy', n % 10 = 0, 1, 2, 1, 2, 0, 0, 0, 0,
        ${new Date(begun)}::timestamptz + (n / 2) * interval '1 second', 1
      FROM generate_series(1, ${count}::integer) AS n`.execute(db),
  );
  await harness.database.jobs.query((db) => sql`ANALYZE futures_trades`.execute(db));
});
afterAll(async () => {
  await harness.close();
});

const spans = [
  [1, timeOf(19_001), null],
  [1, null, begun - 1],
  [15_000, null, timeOf(100)],
  [1, timeOf(count) + 1_000, null],
  [500, timeOf(400), timeOf(510)],
  [500, timeOf(510), timeOf(505)],
] as const;

const filters = spans.flatMap(([from, startTime, endTime]) =>
  (['oldest_first', 'newest_first'] as const).map(
    (order): MarketTradeFilter => ({
      marketId,
      from: from as TradeId,
      startTime,
      endTime,
      order,
      limit: 5,
    }),
  ),
);

test.each(filters)(
  'trades from an id on and of a time: $from $startTime $order',
  async (filter) => {
    const { from, startTime, endTime, order, limit } = filter;
    const rows = await harness.database.reads.query((db) => selectMarketTrades(db, filter));
    const expected = all.filter(
      (id) =>
        id >= (from ?? 0) &&
        timeOf(id) >= (startTime ?? 0) &&
        timeOf(id) <= (endTime ?? Number.POSITIVE_INFINITY),
    );
    const inOrder = order === 'newest_first' ? expected.reverse() : expected;
    expect(rows.map(({ trade_id }) => Number(trade_id))).toEqual(inOrder.slice(0, limit));
  },
);

test.each(filters)(
  'reads no trades that it does not list: $from $startTime $order',
  async (filter) => {
    const plan = await harness.database.reads.query((db) =>
      marketTradesQuery(db, filter).explain('text', sql`analyze`),
    );
    const text = plan.map((line) => Object.values(line).join(' ')).join('\n');
    const passed = [...text.matchAll(/rows=([\d.]+) loops|Rows Removed by Filter: (\d+)/g)];
    expect(passed.length).toBeGreaterThan(0);
    for (const [, read, removed] of passed) expect(Number(read ?? removed)).toBeLessThanOrEqual(10);
  },
);
