import { expect, test } from 'vitest';
import { parseClientMessage } from './client-message.ts';

function parse(message: unknown) {
  return parseClientMessage(typeof message === 'string' ? message : JSON.stringify(message));
}

test.each([
  { type: 'auth', token: 't' },
  { type: 'auth', listenKey: 'k', id: 1 },
  { type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT', market: 'spot', id: 'a' },
  { type: 'subscribe', channel: 'kline', symbol: 'BTCUSDT', interval: '1M' },
  { type: 'unsubscribe', channel: 'balances' },
  { type: 'ping' },
])('parseClientMessage: %j is a message', (message) => {
  expect(parse(message)).toEqual({ kind: 'message', message });
});

test('parseClientMessage: unknown fields are left out', () => {
  const text = '{"type":"ping","__proto__":{"id":1},"constructor":1,"depth":5}';
  expect(parse(text)).toEqual({ kind: 'message', message: { type: 'ping' } });
});

test.each(['', '{', 'null', '5', '"ping"', '[]', '[{"type":"ping"}]', '\u0000'])(
  'parseClientMessage: %j is not a JSON object: INVALID_MESSAGE',
  (text) => {
    expect(parse(text)).toMatchObject({
      kind: 'malformed',
      error: { code: 'INVALID_MESSAGE', message: 'a message is one JSON object' },
      id: null,
    });
  },
);

test.each([{}, { type: 'SUBSCRIBE', id: 4 }, { type: 5 }, { type: 'toString' }, { type: null }])(
  'parseClientMessage: %j has an unknown type: UNKNOWN_TYPE',
  (message) => {
    expect(parse(message)).toMatchObject({ error: { code: 'UNKNOWN_TYPE' } });
  },
);

test.each([
  { type: 'subscribe' },
  { type: 'subscribe', channel: 5 },
  { type: 'subscribe', channel: 'orderbook', symbol: '' },
  { type: 'subscribe', channel: 'orderbook', symbol: 'B'.repeat(65) },
  { type: 'subscribe', channel: 'orderbook', symbol: ['BTCUSDT'] },
  { type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT', market: 'margin' },
  { type: 'subscribe', channel: 'kline', symbol: 'BTCUSDT', interval: '2m' },
  { type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT', id: { a: 1 } },
  { type: 'ping', id: 1.5 },
  { type: 'ping', id: 'x'.repeat(65) },
  { type: 'auth', token: 5 },
])('parseClientMessage: %j has a malformed field: INVALID_PARAMETER', (message) => {
  expect(parse(message)).toMatchObject({ error: { code: 'INVALID_PARAMETER' } });
});

test('parseClientMessage: an error names the field and keeps the id', () => {
  expect(parse({ type: 'subscribe', channel: 5, id: 9 })).toEqual({
    kind: 'malformed',
    error: { code: 'INVALID_PARAMETER', message: 'channel must be string' },
    id: 9,
  });
});
