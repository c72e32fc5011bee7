import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildAsyncApiDocument } from '../../src/gateway/ws/async-api.ts';
import { attachStreams, type Streams } from '../../src/gateway/ws/attach-streams.ts';
import { systemStreamClock } from '../../src/gateway/ws/stream-clock.ts';
import { defaultStreamLimits } from '../../src/gateway/ws/stream-limits.ts';
import { testAddress } from '../support/manual-exchange.ts';
import {
  ManualBalanceFeed,
  ManualEventFeed,
  ManualVipFeed,
  StreamClient,
} from '../support/stream-server.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

let gateway: TestServer;
let streams: Streams;
let url: string;

beforeEach(async () => {
  gateway = await createTestServer();
  gateway.exchange.addMarket('BTCUSDT');
  gateway.exchange.addTrader(1);
  await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  url = `ws://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}/ws`;
  streams = attachStreams({
    server: gateway.app.server,
    exchange: gateway.exchange,
    balanceFeed: new ManualBalanceFeed(),
    vip: new ManualVipFeed().source,
    events: new ManualEventFeed(),
    futuresHistory: null,
    spotCandles: null,
    limiter: null,
    orderEntry: null,
    history: null,
    perpetualHistory: null,
    verifyToken: (token) => gateway.tokens.verify(token),
    isSessionEnded: (session) => gateway.tokens.isEnded(session),
    listenKeys: null,
    trustedProxies: [],
    allowedOrigins: [],
    clock: systemStreamClock,
    limits: defaultStreamLimits,
    log: gateway.app.log,
    metrics: gateway.metrics,
  });
});

afterEach(async () => {
  await streams.close();
  await gateway.close();
});

test('ws on the gateway: an order placed over HTTP is sent to its account and to the market', async () => {
  const client = await StreamClient.open(url);
  const { authorization } = await gateway.bearer();
  const token = authorization.replace('Bearer ', '');
  expect(await client.ask({ type: 'auth', token })).toMatchObject({
    type: 'authenticated',
    address: testAddress(1),
  });
  await client.ask({ type: 'subscribe', channel: 'orders' });
  await client.nextOf('snapshot');
  await client.ask({ type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT' });
  await client.nextOf('snapshot');
  const placed = await gateway.inject({
    method: 'POST',
    url: '/api/v1/spot/orders',
    headers: { authorization },
    payload: { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '1' },
  });
  expect(placed.statusCode).toBe(200);
  const updates = new Map<unknown, unknown>();
  for (let count = 0; count < 2; count += 1) {
    const update = await client.nextOf('update');
    updates.set(update['channel'], update['data']);
  }
  const { order_id: orderId } = placed.json<{ order_id: string }>();
  expect(updates.get('orders')).toMatchObject([{ order_id: orderId, status: 'new' }]);
  expect(updates.get('orderbook')).toEqual({ bids: [['100', '1']], asks: [] });
});

test('ws on the gateway: a forged token is refused', async () => {
  const client = await StreamClient.open(url);
  const { authorization } = await gateway.bearer();
  const token = `${authorization.replace('Bearer ', '').slice(0, -4)}AAAA`;
  expect(await client.ask({ type: 'auth', token })).toMatchObject({ code: 'UNAUTHORIZED' });
});

test('ws on the gateway: signing out over HTTP ends private channels, and public ones continue', async () => {
  const client = await StreamClient.open(url);
  const { authorization } = await gateway.bearer();
  await client.ask({ type: 'auth', token: authorization.replace('Bearer ', '') });
  await client.ask({ type: 'subscribe', channel: 'orders' });
  await client.nextOf('snapshot');
  const trader = await gateway.bearer();
  await gateway.inject({
    method: 'POST',
    url: '/api/v1/auth/logout',
    headers: { authorization },
  });
  // The session has ended, and another session of the account places an order.
  await gateway.inject({
    method: 'POST',
    url: '/api/v1/spot/orders',
    headers: trader,
    payload: { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '1' },
  });
  expect(await client.next()).toMatchObject({ type: 'error', code: 'SESSION_ENDED' });
  expect(await client.ask({ type: 'subscribe', channel: 'orders' })).toMatchObject({
    code: 'UNAUTHORIZED',
  });
  const again = await gateway.tokens.issue(testAddress(1));
  expect(await client.ask({ type: 'auth', token: again.token })).toMatchObject({
    type: 'authenticated',
  });
});

test('ws on the gateway: /asyncapi.json answers the document', async () => {
  const answer = await gateway.inject({ url: '/asyncapi.json' });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(JSON.parse(JSON.stringify(buildAsyncApiDocument())));
});

test('ws on the gateway: open streams are counted in the metrics', async () => {
  const client = await StreamClient.open(url);
  await client.ask({ type: 'ping' });
  const metrics = (await gateway.inject({ url: '/metrics' })).body;
  expect(metrics).toContain('ws_connections 1');
});

test('ws on the gateway: HTTP and streams stop together', async () => {
  const client = await StreamClient.open(url);
  await Promise.all([streams.close(), gateway.close()]);
  expect((await client.closed).code).toBe(1001);
});
