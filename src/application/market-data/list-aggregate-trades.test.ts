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
import type { MarketTradeFilter, TimedFuturesTrade } from '../ports-futures.ts';
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

function historyOf(trades: readonly TimedFuturesTrade[]) {
  const listMarketTrades = async (filter: MarketTradeFilter) => {
    const { from, startTime, endTime, order, limit } = filter;
    const found = trades.filter(
      ({ trade, createdAt }) =>
        (from === null || trade.tradeId >= from) &&
        (startTime === null || createdAt >= startTime) &&
        (endTime === null || createdAt <= endTime),
    );
    return (order === 'newest_first' ? [...found].reverse() : found).slice(0, limit);
  };
  return { listMarketTrades };
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

test('aggregate trades: a page holds complete ones, as many as its limit', async () => {
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
