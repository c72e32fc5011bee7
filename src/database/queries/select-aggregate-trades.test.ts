import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { btcMarket } from '../../../test/support/futures-outcomes.ts';
import {
  type AggregateScan,
  type AggregateTrade,
  aggregateWindowEnd,
  aggregateWindowStart,
  beginAggregate,
  growAggregate,
  type MergeableTrade,
} from '../../application/market-data/aggregate-trades.ts';
import { listAggregateTrades } from '../../application/market-data/list-aggregate-trades.ts';
import { formatDecimal } from '../../domain/decimal.ts';
import type { TradeId } from '../../domain/identifiers.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type Ticks,
} from '../../domain/spot-market.ts';
import { aggregateQuery, selectAggregateTrades } from './select-aggregate-trades.ts';

type TradesTable = 'spot_trades' | 'futures_trades';

interface Fill extends MergeableTrade {
  readonly time: number;
  readonly isOffBook: boolean;
}

const begun = Date.UTC(2026, 1, 27, 21, 30);
let harness: TestDatabase;
let trades = 0;
let markets = 0;

beforeAll(async () => {
  harness = await openTestDatabase();
});
afterAll(async () => {
  await harness.close();
});

/** The fills as rows of a market of their own. */
async function store(table: TradesTable, fills: readonly Fill[]): Promise<number> {
  const marketId = (markets += 1);
  const [kinds, values] =
    table === 'spot_trades'
      ? [sql.raw('maker_order_created_at, taker_order_created_at'), sql.raw('now(), now()')]
      : [sql.raw('maker_profit, taker_profit, is_off_book'), sql.raw('0, 0, fill.is_off_book')];
  let sequence = 0;
  const rows = fills.map((fill, index) => ({
    sequence: (sequence += Number(index % 5 === 0 || !isContinued(fills[index - 1], fill))),
    number: (trades += 1),
    id: fill.tradeId,
    price: formatDecimal(decimalFromTicks(btcMarket, fill.price)),
    quantity: formatDecimal(decimalFromLots(btcMarket, fill.quantity)),
    side: fill.takerSide,
    is_off_book: fill.isOffBook,
    time: new Date(fill.time).toISOString(),
  }));
  await harness.database.jobs.query((db) =>
    sql`
      INSERT INTO ${sql.table(table)} (trade_number, trade_id, market_id, price, quantity,
        quote_quantity, taker_side, maker_order_number, taker_order_number, maker_account_id,
        taker_account_id, maker_fee, taker_fee, created_at, sequence, ${kinds})
      SELECT number, id, ${marketId}::integer, price, quantity, 1, side, 1, 2, 1, 2, 0, 0, time, sequence,
        ${values}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fill (number bigint, id bigint, sequence bigint,
        price numeric, quantity numeric, side text, is_off_book boolean, time timestamptz)
    `.execute(db),
  );
  return marketId;
}

/** Whether both can be trades of one order, that is of one command. */
function isContinued(earlier: Fill | undefined, fill: Fill): boolean {
  const { time, price, takerSide } = earlier ?? {};
  return time === fill.time && price === fill.price && takerSide === fill.takerSide;
}

function merge(fills: readonly Fill[]): readonly AggregateTrade[] {
  const merged: AggregateTrade[] = [];
  for (const fill of fills.filter(({ isOffBook }) => !isOffBook)) {
    const open = merged.at(-1);
    const grown = open === undefined ? null : growAggregate(open, fill, fill.time);
    if (grown === null) merged.push(beginAggregate(fill, fill.time));
    else merged[merged.length - 1] = grown;
  }
  return merged;
}

function scanOf(
  table: TradesTable,
  scan: AggregateScan<number>,
  merging?: 'by_order' | 'by_trade',
) {
  return harness.database.reads.query((db) =>
    selectAggregateTrades(db, table, btcMarket, scan, merging),
  );
}

/** What the use case needs of a market's history. */
function historyOf(table: TradesTable, fills: readonly Fill[]) {
  return {
    listMarketTrades: async ({ from }: { readonly from: TradeId | null }) =>
      fills
        .filter(({ tradeId, isOffBook }) => !isOffBook && tradeId >= (from ?? 0))
        .slice(0, 1)
        .map(({ time }) => ({ createdAt: time })),
    scanAggregateTrades: (scan: AggregateScan<number>) => scanOf(table, scan),
  };
}

const anyFill = fc.record({
  step: fc.constantFrom(0, 0, 0, 1, 40, 100, 250),
  price: fc.constantFrom(10, 10, 10, 11),
  takerSide: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
  quantity: fc.integer({ min: 1, max: 9_007_199_254 }),
  isOffBook: fc.constantFrom(false, false, false, true),
});

function anyFills(table: TradesTable) {
  return fc.array(anyFill, { maxLength: 40 }).map((made) => {
    let time = begun;
    return made.map(
      ({ step, price, isOffBook, ...fill }, index): Fill => ({
        ...fill,
        price: price as Ticks,
        quantity: fill.quantity as Lots,
        tradeId: (index + 1) as TradeId,
        isOffBook: table === 'futures_trades' && isOffBook,
        time: (time += step),
      }),
    );
  });
}

const everything = { from: null, startTime: null, endTime: null, since: null, before: null };

describe.each(['spot_trades', 'futures_trades'] as const)('aggregates of %s', (table) => {
  test('a scan finds whole aggregates and all those of the windows that it read', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFills(table),
        fc.boolean(),
        fc.integer({ min: 1, max: 45 }),
        fc.integer({ min: 1, max: 12 }),
        async (fills, isForward, tradesMax, limit) => {
          const marketId = await store(table, fills);
          const scan = { ...everything, marketId, isForward, tradesMax, limit };
          const { aggregates, cutAt } = await scanOf(table, scan, 'by_trade');
          expect(await scanOf(table, scan, 'by_order')).toEqual({ aggregates, cutAt });
          const all = isForward ? merge(fills) : [...merge(fills)].reverse();
          const found = isForward ? aggregates : [...aggregates].reverse();
          expect(found).toEqual(all.slice(0, found.length));
          expect(cutAt === null).toBe(fills.length < tradesMax);
          const isRead = ({ time }: AggregateTrade) =>
            cutAt === null ||
            (isForward ? time < aggregateWindowStart(cutAt) : time >= aggregateWindowEnd(cutAt));
          expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, all.filter(isRead).length));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('pages agree with the merged list, from an id or a time on and at its end', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyFills(table),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(45),
        async (fills, limit, place) => {
          const filter = {
            marketId: await store(table, fills),
            from: null,
            startTime: null,
            endTime: null,
            limit,
          };
          const history = historyOf(table, fills);
          const page = (change: object) => listAggregateTrades(history, { ...filter, ...change });
          const all = merge(fills);
          const moment = begun + place * 30;
          expect(await page({})).toEqual(all.slice(-limit));
          expect(await page({ from: place as TradeId })).toEqual(
            all.filter(({ firstTradeId }) => firstTradeId >= place).slice(0, limit),
          );
          expect(await page({ startTime: moment })).toEqual(
            all.filter(({ time }) => time >= moment).slice(0, limit),
          );
          expect(await page({ endTime: moment })).toEqual(
            all.filter(({ time }) => time <= moment).slice(-limit),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a scan reads no more rows than it may, of orders with thousands of makers', async () => {
    const fill = { price: 10 as Ticks, quantity: 3 as Lots, takerSide: 'buy' as const };
    const fills = Array.from(
      { length: 30_000 },
      (_, index): Fill => ({
        ...fill,
        tradeId: (index + 1) as TradeId,
        isOffBook: false,
        time: begun + Math.floor(index / 3_000) * 100,
      }),
    );
    const marketId = await store(table, fills);
    await harness.database.jobs.query((db) => sql`ANALYZE ${sql.table(table)}`.execute(db));
    const all = merge(fills);
    for (const isForward of [true, false]) {
      const scan = { ...everything, marketId, isForward, tradesMax: 10_000, limit: 1_000 };
      const { rows } = await harness.database.reads.query((db) =>
        sql<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>`
          EXPLAIN (ANALYZE, FORMAT JSON) ${aggregateQuery(table, scan)}`.execute(db),
      );
      const read = rowsRead(rows[0]?.['QUERY PLAN'][0]?.Plan, table);
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(10_000);
      const { aggregates } = await scanOf(table, scan);
      expect(aggregates).toEqual(isForward ? all.slice(0, 3) : all.slice(-3));
    }
  });

  test('an order with more makers than a call reads is one whole aggregate', async () => {
    const fill = { price: 10 as Ticks, quantity: 3 as Lots, takerSide: 'buy' as const };
    const fills = Array.from(
      { length: 12_001 },
      (_, index): Fill => ({
        ...fill,
        tradeId: (index + 1) as TradeId,
        isOffBook: false,
        time: index === 12_000 ? begun + 100 : begun,
      }),
    );
    const marketId = await store(table, fills);
    const filter = { marketId, from: null, startTime: null, endTime: null, limit: 1_000 };
    const [huge, last] = merge(fills);
    const history = historyOf(table, fills);
    expect(huge).toMatchObject({ quantity: 36_000, firstTradeId: 1, lastTradeId: 12_000 });
    expect(await listAggregateTrades(history, { ...filter, startTime: begun })).toEqual([huge]);
    expect(await listAggregateTrades(history, { ...filter, endTime: begun })).toEqual([huge]);
    for (const from of [2, 12_001] as TradeId[]) {
      expect(await listAggregateTrades(history, { ...filter, from })).toEqual([last]);
    }
  });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(node: PlanNode | undefined, table: string): number {
  if (node === undefined) return 0;
  const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === table ? rows * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner, table), own);
}
