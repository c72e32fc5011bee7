import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MarketId } from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import { ManualExchange } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from '../support/stream-server.ts';

let running: StreamServer;

async function start(options: StreamServerOptions = {}): Promise<StreamServer> {
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  exchange.addMarket('ETHUSDT');
  running = await startStreamServer({ exchange, ...options });
  return running;
}

beforeEach(async () => {
  await start();
});

afterEach(async () => {
  await running.stop();
});

async function restart(options: StreamServerOptions): Promise<StreamServer> {
  await running.stop();
  return start(options);
}

const orderbook = { channel: 'orderbook', symbol: 'BTCUSDT' };

test('ws: a ping message is answered with a pong that echoes the id', async () => {
  const client = await running.connect();
  client.send({ type: 'ping', id: 'p1' });
  expect(await client.next()).toEqual({ type: 'pong', ts: running.clock.now(), id: 'p1' });
  client.send({ type: 'ping' });
  expect(await client.next()).toEqual({ type: 'pong', ts: running.clock.now() });
});

test('ws: subscribe and unsubscribe are confirmed with their topics', async () => {
  const client = await running.connect();
  client.send({ type: 'subscribe', ...orderbook, market: 'spot', id: 1 });
  expect(await client.next()).toEqual({ type: 'subscribed', ...orderbook, market: 'spot', id: 1 });
  expect((await client.next()).type).toBe('snapshot');
  client.send({ type: 'unsubscribe', ...orderbook, id: 2 });
  const reply = { type: 'unsubscribed', ...orderbook, market: 'spot', id: 2 };
  expect(await client.next()).toEqual(reply);
  client.send({ type: 'unsubscribe', ...orderbook, id: 2 });
  expect(await client.next()).toEqual(reply);
});

test('ws: after unsubscribe no update is sent', async () => {
  const { exchange } = running;
  const accountId = exchange.addTrader(1);
  const client = await running.connect();
  await client.ask({ type: 'subscribe', ...orderbook });
  await client.nextOf('snapshot');
  await client.ask({ type: 'unsubscribe', ...orderbook });
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  await client.ask({ type: 'subscribe', channel: 'trades', symbol: 'BTCUSDT' });
  expect(await client.next()).toMatchObject({ type: 'snapshot', channel: 'trades' });
  expect(client.unreadCount).toBe(0);
});

test('ws: subscribing again gives a fresh snapshot', async () => {
  const client = await running.connect();
  for (const id of [1, 2]) {
    client.send({ type: 'subscribe', ...orderbook, id });
    expect(await client.next()).toMatchObject({ type: 'subscribed', id });
    expect(await client.next()).toMatchObject({ type: 'snapshot', channel: 'orderbook' });
  }
});

test.each([
  ['{"type":', 'INVALID_MESSAGE', 'a message is one JSON object'],
  [{ type: 'shout', id: 3 }, 'UNKNOWN_TYPE', 'type is one of auth, subscribe, unsubscribe, ping'],
  [
    { type: 'subscribe', channel: 'weather', symbol: 'BTCUSDT', id: 3 },
    'UNKNOWN_CHANNEL',
    'channels are orderbook, trades, ticker, kline, mark_price, markets, tickers, orders, balances, positions, vip_tier, wallet, referral',
  ],
  [
    { type: 'subscribe', channel: 'orderbook', symbol: 'btcusdt', id: 3 },
    'MARKET_NOT_FOUND',
    'no spot market btcusdt',
  ],
  [
    { type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT', market: 'futures', id: 3 },
    'MARKET_NOT_FOUND',
    'no futures market BTCUSDT',
  ],
  [{ type: 'subscribe', channel: 'orderbook', id: 3 }, 'INVALID_PARAMETER', 'symbol is required'],
  [
    { type: 'subscribe', channel: 'kline', symbol: 'BTCUSDT', id: 3 },
    'INVALID_PARAMETER',
    'interval is required',
  ],
  [
    { type: 'subscribe', channel: 'orders', id: 3 },
    'UNAUTHORIZED',
    'orders is private: send auth first',
  ],
  [{ type: 'auth', id: 3 }, 'INVALID_PARAMETER', 'auth takes either token or listenKey'],
  [
    { type: 'auth', token: 'token-1', listenKey: 'k', id: 3 },
    'INVALID_PARAMETER',
    'auth takes either token or listenKey',
  ],
  [{ type: 'auth', token: 'x', id: 3 }, 'UNAUTHORIZED', 'the token is invalid or has expired'],
  [
    { type: 'auth', listenKey: 'x', id: 3 },
    'INVALID_LISTEN_KEY',
    'the listen key has expired or never existed',
  ],
])(
  'ws: %j is answered with the error %s and the connection stays open',
  async (sent, code, text) => {
    const client = await running.connect();
    client.send(sent);
    const id = typeof sent === 'string' ? {} : { id: 3 };
    expect(await client.next()).toEqual({ type: 'error', code, message: text, ...id });
    expect(await client.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
  },
);

test('ws: a binary message is answered with INVALID_MESSAGE', async () => {
  const client = await running.connect();
  client.webSocket.send(Buffer.from('{"type":"ping"}'));
  expect(await client.next()).toEqual({
    type: 'error',
    code: 'INVALID_MESSAGE',
    message: 'messages are text',
  });
});

test('ws: while the engine restarts streams report it, and are available afterwards', async () => {
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  exchange.state = 'restarting';
  await restart({ exchange });
  const client = await running.connect();
  expect(await client.ask({ type: 'subscribe', ...orderbook })).toMatchObject({
    type: 'error',
    code: 'ENGINE_RESTARTING',
  });
  await client.ask({ type: 'auth', token: 'token-1' });
  const message = { type: 'subscribe', channel: 'orders', id: 'o' };
  client.send(message);
  expect(await client.nextOf('error')).toMatchObject({ code: 'ENGINE_RESTARTING', id: 'o' });
  exchange.state = 'ready';
  running.clock.advance(100);
  await expect
    .poll(async () => (await client.ask({ type: 'subscribe', ...orderbook })).type)
    .toBe('subscribed');
});

test('ws: broken streams close with 1011, start over from the engine, and trading continues', async () => {
  const errors: object[] = [];
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  const accountId = exchange.addTrader(1);
  await restart({
    exchange,
    log: { warn: () => {}, error: (details) => errors.push(details) },
  });
  const client = await running.connect();
  await client.ask({ type: 'subscribe', ...orderbook });
  exchange.publish([
    {
      type: 'bookLevelChanged',
      marketId: 0 as MarketId,
      side: 'buy',
      price: 1 as Ticks,
      quantity: 1 as Lots,
      updateId: 99,
    },
  ]);
  expect(await client.closed).toEqual({ code: 1011, reason: 'internal error' });
  expect(errors).toHaveLength(1);
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  running.clock.advance(100);
  const next = await running.connect();
  await expect
    .poll(async () => (await next.ask({ type: 'subscribe', ...orderbook })).type)
    .toBe('subscribed');
  expect(await next.next()).toMatchObject({ data: { bids: [['1', '0.001']], asks: [] } });
});

test('ws: close sends 1001 to every client and ends', async () => {
  const clients: StreamClient[] = [await running.connect(), await running.connect()];
  await running.streams.close();
  for (const client of clients) {
    expect(await client.closed).toEqual({ code: 1001, reason: 'the server is stopping' });
  }
});
