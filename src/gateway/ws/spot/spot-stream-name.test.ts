import { expect, test } from 'vitest';
import { parseSpotStreamName } from './spot-stream-name.ts';

const symbol = 'BTCUSDT';

test.each([
  ['btcusdt@depth', { kind: 'depth', symbol, intervalMs: 1_000 }],
  ['btcusdt@depth@100ms', { kind: 'depth', symbol, intervalMs: 100 }],
  ['btcusdt@depth5', { kind: 'partialDepth', symbol, levels: 5, intervalMs: 1_000 }],
  ['btcusdt@depth20@100ms', { kind: 'partialDepth', symbol, levels: 20, intervalMs: 100 }],
  ['btcusdt@kline_1m', { kind: 'kline', symbol, interval: '1m' }],
  ['btcusdt@kline_1M', { kind: 'kline', symbol, interval: '1M' }],
  ['btcusdt@trade', { kind: 'trade', symbol }],
  ['btcusdt@aggTrade', { kind: 'aggTrade', symbol }],
  ['btcusdt@bookTicker', { kind: 'bookTicker', symbol }],
  ['btcusdt@ticker', { kind: 'ticker', symbol }],
  ['btcusdt@miniTicker', { kind: 'miniTicker', symbol }],
  ['btcusdt@ticker_4h', { kind: 'rollingTicker', symbol, window: '4h' }],
  ['btcusdt@avgPrice', { kind: 'avgPrice', symbol }],
  ['!ticker_1h@arr', { kind: 'allRollingTickers_1h' }],
  ['!ticker@arr', { kind: 'allTickers' }],
  ['!miniTicker@arr', { kind: 'allMiniTickers' }],
  ['!bookTicker', { kind: 'allBookTickers' }],
])('spot stream name: %s', (name, parsed) => {
  expect(parseSpotStreamName(name)).toEqual(parsed);
});

test.each([
  '',
  '@',
  'btcusdt',
  '@trade',
  'BTCUSDT@trade',
  'btcusdt@markPrice',
  'btcusdt@forceOrder',
  'btcusdt@depth@500ms',
  'btcusdt@depth7',
  'btcusdt@depthx',
  'btcusdt@kline_7m',
  'btcusdt@kline_1m@+08:00',
  'btcusdt@trade@100ms',
  '!markPrice@arr',
  '!ticker',
  'btcusdt@ticker_2h',
  '!ticker_7d@arr',
])('spot stream name: %s is none', (name) => {
  expect(parseSpotStreamName(name)).toBeNull();
});
