import { expect, test } from 'vitest';
import { parseStreamName } from './stream-name.ts';

test.each([
  ['btcusdt@depth', { kind: 'depth', symbol: 'BTCUSDT', intervalMs: 250 }],
  ['btcusdt@depth@100ms', { kind: 'depth', symbol: 'BTCUSDT', intervalMs: 100 }],
  ['btcusdt@depth@500ms', { kind: 'depth', symbol: 'BTCUSDT', intervalMs: 500 }],
  ['btcusdt@depth5', { kind: 'partialDepth', symbol: 'BTCUSDT', levels: 5, intervalMs: 250 }],
  [
    'btcusdt@depth20@100ms',
    { kind: 'partialDepth', symbol: 'BTCUSDT', levels: 20, intervalMs: 100 },
  ],
  ['btcusdt@bookTicker', { kind: 'bookTicker', symbol: 'BTCUSDT' }],
  ['btcusdt@aggTrade', { kind: 'aggTrade', symbol: 'BTCUSDT' }],
  ['btcusdt@trade', { kind: 'trade', symbol: 'BTCUSDT' }],
  ['btcusdt@markPrice', { kind: 'markPrice', symbol: 'BTCUSDT', intervalMs: 3_000 }],
  ['btcusdt@markPrice@1s', { kind: 'markPrice', symbol: 'BTCUSDT', intervalMs: 1_000 }],
  ['btcusdt@kline_1m', { kind: 'kline', symbol: 'BTCUSDT', interval: '1m' }],
  ['btcusdt@kline_1M', { kind: 'kline', symbol: 'BTCUSDT', interval: '1M' }],
  ['btcusdt@ticker', { kind: 'ticker', symbol: 'BTCUSDT' }],
  ['btcusdt@miniTicker', { kind: 'miniTicker', symbol: 'BTCUSDT' }],
  ['btcusdt@forceOrder', { kind: 'forceOrder', symbol: 'BTCUSDT' }],
  ['!bookTicker', { kind: 'allBookTickers' }],
  ['!ticker@arr', { kind: 'allTickers' }],
  ['!miniTicker@arr', { kind: 'allMiniTickers' }],
  ['!markPrice@arr', { kind: 'allMarkPrices', intervalMs: 3_000 }],
  ['!markPrice@arr@1s', { kind: 'allMarkPrices', intervalMs: 1_000 }],
  ['!forceOrder@arr', { kind: 'allForceOrders' }],
])('stream name: %s', (text, expected) => {
  expect(parseStreamName(text)).toEqual(expected);
});

test.each([
  '',
  'btcusdt',
  'BTCUSDT@depth',
  'btcusdt@depth7',
  'btcusdt@depth@1s',
  'btcusdt@markPrice@100ms',
  'btcusdt@kline_7m',
  'btcusdt@trade@100ms',
  'btcusdt@trades',
  '!ticker',
  'btcusdt@depth@100ms@more',
])('stream name: %j is not one', (text) => {
  expect(parseStreamName(text)).toBeNull();
});
