import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Amount, toAmount } from '../../domain/amount.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { MarketId, TimestampMs, TokenId, TradeId } from '../../domain/identifiers.ts';
import type { Lots, SpotMarket, Ticks } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';
import { candleFromView, growCandle, openCandle, viewCandle } from './candle.ts';
import { formatPercent, TickerWindow } from './ticker-window.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const midnight = Date.parse('2026-11-21T00:00:00Z');

const market: SpotMarket = {
  marketId: 0 as MarketId,
  symbol: 'BTCUSDT',
  baseToken: 'BTC',
  quoteToken: 'USDT',
  baseTokenId: 0 as TokenId,
  quoteTokenId: 1 as TokenId,
  tickSize: parseDecimal('0.01') ?? (0n as never),
  lotSize: parseDecimal('0.001') ?? (0n as never),
  minNotional: 0n as Amount,
  makerFeeBps: 0,
  takerFeeBps: 0,
  status: 'listed',
  lotAmount: 100_000n as Amount,
  tickLotAmount: 1_000n as Amount,
  createdAt: 0 as TimestampMs,
};

function trade(price: number, quantity: number): SpotTrade {
  return {
    tradeId: 1 as TradeId,
    price: price as Ticks,
    quantity: quantity as Lots,
    quoteAmount: toAmount(BigInt(price) * BigInt(quantity) * market.tickLotAmount),
  } as SpotTrade;
}

test('TickerWindow: empty before the first trade', () => {
  expect(new TickerWindow(market, [], null).read(midnight)).toBeNull();
});

test('TickerWindow: sums the last 24 hours', () => {
  const window = new TickerWindow(market, [], null);
  window.add(trade(10_000, 1_000), midnight);
  window.add(trade(10_500, 2_000), midnight + 5_000);
  window.add(trade(9_900, 500), midnight + 3 * minuteMs);
  expect(window.read(midnight + 4 * minuteMs)).toEqual({
    last_price: '99',
    open_price: '100',
    high_price: '105',
    low_price: '99',
    price_change: '-1',
    price_change_percent: '-1',
    volume: '3.5',
    quote_volume: '359.5',
    trade_count: 3,
    open_time: midnight + 4 * minuteMs - dayMs,
    close_time: midnight + 4 * minuteMs,
  });
});

test('TickerWindow: a day without a trade is flat at the last price', () => {
  const window = new TickerWindow(market, [], null);
  window.add(trade(10_000, 1_000), midnight);
  expect(window.read(midnight + dayMs + minuteMs)).toMatchObject({
    last_price: '100',
    open_price: '100',
    high_price: '100',
    low_price: '100',
    price_change: '0',
    volume: '0',
    quote_volume: '0',
    trade_count: 0,
  });
});

test('TickerWindow: equals the sum over the trades of its minutes, however it began', () => {
  const trades = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: dayMs / 3 }),
      price: fc.integer({ min: 1, max: 50 }),
      quantity: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(trades, (steps) => {
      const window = new TickerWindow(market, [], null);
      const past: { at: number; price: number; quantity: number }[] = [];
      let now = midnight;
      for (const { wait, price, quantity } of steps) {
        now += wait;
        window.add(trade(price, quantity), now);
        past.push({ at: now, price, quantity });
        const opening = Math.ceil((now - dayMs) / minuteMs) * minuteMs;
        const day = past.filter(({ at }) => at >= opening);
        const lots = day.reduce((sum, each) => sum + each.quantity, 0);
        const read = window.read(now);
        expect(read?.trade_count).toBe(day.length);
        expect(Number(read?.volume)).toBeCloseTo(lots / 1_000, 9);
        expect(Number(read?.open_price)).toBeCloseTo((day[0]?.price ?? 0) / 100, 9);
        expect(Number(read?.high_price)).toBeCloseTo(
          Math.max(...day.map((each) => each.price)) / 100,
          9,
        );
        expect(Number(read?.low_price)).toBeCloseTo(
          Math.min(...day.map((each) => each.price)) / 100,
          9,
        );
      }
    }),
    { numRuns: 50 },
  );
});

test.each([
  [10_000, 10_000, '0'],
  [3, 4, '33.333'],
  [3, 2, '-33.333'],
  [80_000, 80_001, '0.001'],
  [200_000, 200_001, '0.001'],
  [200_001, 200_000, '0'],
  [1, 3, '200'],
])('formatPercent: from %i to %i is %s', (open, last, percent) => {
  expect(formatPercent(open as Ticks, last as Ticks)).toBe(percent);
});

test('candle: a view parses back to the candle, which then grows by trades', () => {
  const candle = openCandle(market, '1m', trade(10_000, 1_000), midnight + 1);
  growCandle(market, candle, trade(9_000, 500));
  const view = viewCandle(market, '1m', candle);
  expect(view).toEqual({
    open_time: midnight,
    close_time: midnight + minuteMs - 1,
    open: '100',
    high: '100',
    low: '90',
    close: '90',
    volume: '1.5',
    quote_volume: '145',
    trade_count: 2,
  });
  expect(candleFromView(market, view)).toEqual(candle);
});
