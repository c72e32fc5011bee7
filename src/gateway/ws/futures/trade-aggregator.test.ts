import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { AggregateTrade } from '../../../application/market-data/aggregate-trades.ts';
import type { FuturesTrade } from '../../../domain/futures-order.ts';
import type { TimedTrade } from '../channels/baseline.ts';
import { TradeAggregator } from './trade-aggregator.ts';

const start = 1_700_000_000_000;

function timed(tradeId: number, delayMs: number, price = 10): TimedTrade {
  const trade = { tradeId, price, quantity: 1, takerSide: 'buy' } as unknown as FuturesTrade;
  return { trade, time: start + delayMs };
}

function listen() {
  const clock = new ManualClock(start);
  const told: AggregateTrade[] = [];
  const aggregator = new TradeAggregator(clock, (aggregate) => told.push(aggregate));
  const spans = () => told.map(({ firstTradeId, lastTradeId }) => [firstTradeId, lastTradeId]);
  return { clock, aggregator, spans };
}

test('aggregate stream: trades at one price within 100 ms are sent together, once the 100 ms are over', () => {
  const { clock, aggregator, spans } = listen();
  aggregator.add(timed(1, 0));
  clock.advance(60);
  aggregator.add(timed(2, 60));
  expect(spans()).toEqual([]);
  clock.advance(100);
  expect(spans()).toEqual([[1, 2]]);
  expect(clock.timerCount).toBe(0);
});

test('aggregate stream: another price or the next 100 ms sends the previous one immediately', () => {
  const { aggregator, clock, spans } = listen();
  aggregator.add(timed(1, 0));
  aggregator.add(timed(2, 1, 11));
  expect(spans()).toEqual([[1, 1]]);
  aggregator.add(timed(3, 100, 11));
  expect(spans()).toEqual([
    [1, 1],
    [2, 2],
  ]);
  clock.advance(1_000);
  expect(spans()).toHaveLength(3);
});
