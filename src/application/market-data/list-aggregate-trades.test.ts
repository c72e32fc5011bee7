import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zeroAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type {
  AccountId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import type { TimedFuturesTrade } from '../ports/futures-history.ts';
import {
  type AggregateScan,
  type AggregateTrade,
  beginAggregate,
  growAggregate,
} from './aggregate-trades.ts';
import { type AggregateTradeFilter, listAggregateTrades } from './list-aggregate-trades.ts';

const marketId = 0 as FuturesMarketId;
const party = {
  orderNumber: 1 as OrderNumber,
  accountId: 1 as AccountId,
  fee: zeroAmount,
  realizedProfit: zeroAmount,
};

interface Made {
  readonly time: number;
  readonly price: number;
  readonly side: Side;
}

function tradesOf(made: readonly Made[]): readonly TimedFuturesTrade[] {
  return made.map(({ time, price, side }, index) => ({
    createdAt: time as TimestampMs,
    trade: {
      tradeNumber: (index + 1) as TradeNumber,
      tradeId: (index + 1) as TradeId,
      marketId,
      price: price as Ticks,
      quantity: 1 as Lots,
      quoteAmount: zeroAmount,
      takerSide: side,
      isOffBook: false,
      maker: party,
      taker: party,
    },
  }));
}

/** A history that merges like the database and counts the trades that it reads for it. */
function historyOf(trades: readonly TimedFuturesTrade[]) {
  const reads: number[] = [];
  const listMarketTrades = async ({ from, limit }: { from: TradeId | null; limit: number }) =>
    trades.filter(({ trade }) => from === null || trade.tradeId >= from).slice(0, limit);
  const scanAggregateTrades = async (scan: AggregateScan<FuturesMarketId>) => {
    const { since, before, isForward, tradesMax, limit } = scan;
    const all = trades.filter(
      ({ createdAt }) =>
        (since === null || createdAt >= since) && (before === null || createdAt < before),
    );
    const count = Math.min(tradesMax ?? all.length, all.length);
    const read = isForward ? all.slice(0, count) : all.slice(all.length - count);
    reads.push(read.length);
    const edge = isForward ? read.at(-1) : read[0];
    const cutAt = count === tradesMax ? (edge?.createdAt ?? null) : null;
    const merged = mergeAll(read);
    const known = cutAt === null ? merged : isForward ? merged.slice(0, -1) : merged.slice(1);
    const wanted = known.filter(
      ({ firstTradeId, time }) =>
        firstTradeId >= (scan.from ?? 0) &&
        time >= (scan.startTime ?? 0) &&
        time <= (scan.endTime ?? Infinity),
    );
    return { aggregates: isForward ? wanted.slice(0, limit) : wanted.slice(-limit), cutAt };
  };
  return { listMarketTrades, scanAggregateTrades, reads };
}

function mergeAll(trades: readonly TimedFuturesTrade[]): readonly AggregateTrade[] {
  const merged: AggregateTrade[] = [];
  for (const { trade, createdAt } of trades) {
    const open = merged.at(-1);
    const grown = open === undefined ? null : growAggregate(open, trade, createdAt);
    if (grown === null) merged.push(beginAggregate(trade, createdAt));
    else merged[merged.length - 1] = grown;
  }
  return merged;
}

const newest = { marketId, from: null, startTime: null, endTime: null, limit: 10 };
const spans = async (
  made: readonly Made[],
  change: Partial<AggregateTradeFilter<FuturesMarketId>> = {},
) => {
  const found = await listAggregateTrades(historyOf(tradesOf(made)), { ...newest, ...change });
  return found.map(({ firstTradeId, lastTradeId, quantity, time }) => [
    firstTradeId,
    lastTradeId,
    quantity,
    time,
  ]);
};
const at = (time: number, price = 10, side: Side = 'buy'): Made => ({ time, price, side });

test('aggregate trades: same price and same taker side within 100 ms are merged', async () => {
  const trades = [at(1_000), at(1_099), at(1_100), at(1_110, 11), at(1_111, 11, 'sell'), at(1_120)];
  expect(await spans(trades)).toEqual([
    [1, 2, 2, 1_000],
    [3, 3, 1, 1_100],
    [4, 4, 1, 1_110],
    [5, 5, 1, 1_111],
    [6, 6, 1, 1_120],
  ]);
});

test('aggregate trades: a page holds complete aggregates, as many as its limit', async () => {
  const trades = [
    ...Array<Made>(50).fill(at(1_000)),
    ...Array<Made>(50).fill(at(1_200)),
    at(1_300),
  ];
  expect(await spans(trades, { limit: 2 })).toEqual([
    [51, 100, 50, 1_200],
    [101, 101, 1, 1_300],
  ]);
  expect(await spans(trades, { limit: 1, startTime: 0 })).toEqual([[1, 50, 50, 1_000]]);
  // One that began before the requested id or time is left out.
  expect(await spans(trades, { limit: 1, from: 2 as TradeId })).toEqual([[51, 100, 50, 1_200]]);
  expect(await spans(trades, { from: 500 as TradeId })).toEqual([]);
  expect(await spans(trades, { startTime: 1_001, endTime: 1_200 })).toEqual([[51, 100, 50, 1_200]]);
});

test('aggregate trades: pages agree with the whole list, wherever they begin', async () => {
  const anyTrade = fc.record({
    step: fc.constantFrom(0, 0, 0, 1, 40, 100),
    price: fc.constantFrom(10, 10, 11),
    side: fc.constantFrom<Side>('buy', 'buy', 'sell'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTrade, { maxLength: 60 }),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(60),
      async (steps, limit, place) => {
        let time = 1_000;
        const made = steps.map(({ step, price, side }) => at((time += step), price, side));
        const all = await spans(made, { limit: 100 });
        expect(await spans(made, { limit })).toEqual(all.slice(-limit));
        const from = all.filter(([first = 0]) => first >= place).slice(0, limit);
        expect(await spans(made, { limit, from: place as TradeId })).toEqual(from);
        const startTime = 1_000 + place * 20;
        const later = all.filter((row) => (row[3] ?? 0) >= startTime).slice(0, limit);
        expect(await spans(made, { limit, startTime })).toEqual(later);
      },
    ),
    { numRuns: 100 },
  );
});

const total = (reads: readonly number[]) => reads.reduce((sum, read) => sum + read, 0);

test('aggregate trades: a call reads a bounded number of trades, and the next page continues', async () => {
  const each = 3_000;
  const made = Array.from({ length: 40 }, (_, order) =>
    Array<Made>(each).fill(at(1_000 + order * 100)),
  ).flat();
  const history = historyOf(tradesOf(made));
  const pages: AggregateTrade[] = [];
  for (let from = 1; from <= made.length; ) {
    history.reads.length = 0;
    const filter = { ...newest, from: from as TradeId, limit: 1_000 };
    const page = await listAggregateTrades(history, filter);
    expect(total(history.reads)).toBeLessThanOrEqual(12_000);
    expect(page).not.toEqual([]);
    pages.push(...page);
    from = (pages.at(-1)?.lastTradeId ?? made.length) + 1;
  }
  expect(pages).toEqual(mergeAll(tradesOf(made)));
  history.reads.length = 0;
  const last = await listAggregateTrades(history, { ...newest, limit: 1_000 });
  expect(last).toEqual(pages.slice(-last.length));
  expect(last).not.toEqual([]);
  expect(total(history.reads)).toBeLessThanOrEqual(12_000);
});

test('aggregate trades: an aggregate of more trades than a call reads is complete, and never hides others', async () => {
  const many = 25_000;
  const made = [at(900), ...Array<Made>(many).fill(at(1_000)), at(1_050, 11), at(1_200)];
  const huge = [2, many + 1, many, 1_000];
  const after = [many + 2, many + 2, 1, 1_050];
  const end = [many + 3, many + 3, 1, 1_200];
  expect(await spans(made, { from: 2 as TradeId, limit: 1 })).toEqual([huge]);
  expect(await spans(made, { from: 3 as TradeId, limit: 1 })).toEqual([after]);
  // A shorter page: the window of the huge one is all that this call reads.
  expect(await spans(made, { startTime: 1_001 })).toEqual([after]);
  expect(await spans(made, { endTime: 1_010, limit: 1 })).toEqual([huge]);
  expect(await spans(made, { limit: 2 })).toEqual([after, end]);
  const late = Array<Made>(many).fill(at(1_050, 12));
  // All that the last window holds began after the requested time.
  expect(await spans([at(900), ...late], { endTime: 1_010 })).toEqual([[1, 1, 1, 900]]);
  expect(await spans([...late, at(1_200)], { from: 2 as TradeId })).toEqual([
    [many + 1, many + 1, 1, 1_200],
  ]);
});

test('aggregate trades: an old id with a late time reads from the time on', async () => {
  const made = Array.from({ length: 1_000 }, (_, index) => at(1_000 + index * 100));
  const history = historyOf(tradesOf(made));
  const filter = { ...newest, from: 1 as TradeId, startTime: 1_000 + 900 * 100, limit: 1 };
  expect(await listAggregateTrades(history, filter)).toMatchObject([{ firstTradeId: 901 }]);
  expect(total(history.reads)).toBe(2);
});
