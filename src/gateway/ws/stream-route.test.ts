import { expect, test } from 'vitest';
import { parseStreamRoute, requestedStreams } from './stream-route.ts';

test.each([
  ['/ws', 'first_message', null, []],
  ['/ws/btcusdt@trade', 'events', 'futures', ['btcusdt@trade']],
  ['/public/ws/0', 'events', 'futures', []],
  ['/stream?streams=btcusdt@trade/ethusdt@trade', 'events', 'futures', 2],
  ['/streams/spot/ws', 'events', 'spot', []],
  ['/streams/spot/ws/0', 'events', 'spot', []],
  ['/streams/spot/ws/btcusdt@trade', 'events', 'spot', ['btcusdt@trade']],
  ['/streams/spot/stream?streams=btcusdt@trade', 'events', 'spot', ['btcusdt@trade']],
  ['/ws-fapi/v1', 'order_entry', 'futures', []],
  ['/ws-api/v3', 'order_entry', 'spot', []],
  ['/ws-api/v3?timeUnit=MILLISECOND', 'order_entry', 'spot', []],
  ['/streams/spot/ws-api/v3', 'order_entry', 'spot', []],
] as const)('stream route: %s is one of %s about %s', (url, kind, market, names) => {
  const route = parseStreamRoute(url);
  expect(route).toMatchObject(market === null ? { kind } : { kind, market });
  const { streamNames } = requestedStreams(route);
  if (typeof names === 'number') expect(streamNames).toHaveLength(names);
  else expect(streamNames).toEqual(names);
});

test.each([
  '/',
  '/streams/spot',
  '/streams/spot/',
  '/streams/spot/public/ws',
  '/streams/futures/ws',
  '/streams/spot/wsx',
  '/ws-api/v4',
  '/ws-api',
  '/ws-fapi/v3',
  '/streams/spot/ws-fapi/v1',
])('stream route: nothing is served at %s', (url) => {
  expect(parseStreamRoute(url)).toBeNull();
});
