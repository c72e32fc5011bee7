import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ManualExchange } from '../support/manual-exchange.ts';
import {
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

/** The HTTP status that an upgrade is answered with. */
async function upgradeStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  const webSocket = new WebSocket(url, { headers });
  return new Promise((resolve) => {
    webSocket.on('open', () => {
      webSocket.terminate();
      resolve(101);
    });
    webSocket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    webSocket.on('error', () => {});
  });
}

const orderbook = { channel: 'orderbook', symbol: 'BTCUSDT' };

test('ws: a message over 8 KiB closes with 1009', async () => {
  const client = await running.connect();
  client.send(JSON.stringify({ type: 'ping', filling: 'x'.repeat(8 * 1024) }));
  expect((await client.closed).code).toBe(1009);
});

test('ws: a text that is not UTF-8 closes with 1007', async () => {
  const client = await running.connect();
  client.webSocket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
  expect((await client.closed).code).toBe(1007);
});

test('ws: fragments of a message over 8 KiB close with 1009 like the whole', async () => {
  const client = await running.connect();
  for (let piece = 0; piece < 3; piece += 1) {
    client.webSocket.send(' '.repeat(4 * 1024), { fin: piece === 2 });
  }
  expect((await client.closed).code).toBe(1009);
});

test('ws: a message of 8 KiB is read', async () => {
  const client = await running.connect();
  const message = JSON.stringify({ type: 'ping', filling: '' });
  client.send(message.replace('""', `"${'x'.repeat(8 * 1024 - message.length)}"`));
  expect((await client.next()).type).toBe('pong');
});

test('ws: compression is not negotiated', async () => {
  const client = await running.connect({ perMessageDeflate: true });
  expect(client.webSocket.extensions).toBe('');
});

test('ws: at most 50 subscriptions per connection', async () => {
  const { exchange } = running;
  for (let number = 0; number < 50; number += 1) exchange.addMarket(`T${number}USDT`);
  const client = await running.connect();
  for (let number = 0; number < 50; number += 1) {
    const symbol = `T${number}USDT`;
    const reply = await client.ask({ type: 'subscribe', channel: 'orderbook', symbol });
    expect(reply.type).toBe('subscribed');
  }
  expect(await client.ask({ type: 'subscribe', ...orderbook })).toMatchObject({
    type: 'error',
    code: 'TOO_MANY_SUBSCRIPTIONS',
    message: 'at most 50 subscriptions a connection',
  });
  await client.ask({ type: 'unsubscribe', channel: 'orderbook', symbol: 'T0USDT' });
  expect((await client.ask({ type: 'subscribe', ...orderbook })).type).toBe('subscribed');
});

test('ws: a client that sends too fast gets an error, and is closed with 1008 if it continues', async () => {
  await restart({ limits: { messagesBurst: 5, messagesPerSecond: 1 } });
  const client = await running.connect();
  for (let sent = 0; sent < 10; sent += 1) client.send({ type: 'ping' });
  for (let sent = 0; sent < 5; sent += 1) expect((await client.next()).type).toBe('pong');
  for (let sent = 0; sent < 5; sent += 1) {
    expect(await client.next()).toEqual({
      type: 'error',
      code: 'RATE_LIMITED',
      message: 'at most 1 messages a second',
    });
  }
  running.clock.advance(1_000);
  client.send({ type: 'ping' });
  expect((await client.next()).type).toBe('pong');
  for (let sent = 0; sent < 3; sent += 1) client.send({ type: 'ping' });
  expect(await client.closed).toEqual({ code: 1008, reason: 'at most 1 messages a second' });
});

test('ws: ping frames count like messages', async () => {
  await restart({ limits: { messagesBurst: 5, messagesPerSecond: 1 } });
  const client = await running.connect();
  for (let sent = 0; sent < 11; sent += 1) client.webSocket.ping();
  expect((await client.closed).code).toBe(1008);
});

test('ws: the server pings every 20 s, and an answering client stays', async () => {
  const client = await running.connect();
  const pings: number[] = [];
  client.webSocket.on('ping', () => pings.push(running.clock.elapsed()));
  for (let second = 1; second <= 100; second += 1) {
    running.clock.advance(1_000);
    if (second % 20 !== 0) continue;
    await new Promise((resolve) => client.webSocket.once('ping', resolve));
    // The pong went out with the ping; a reply shows that the server has read it.
    await client.ask({ type: 'ping' });
  }
  expect(pings).toEqual([20_000, 40_000, 60_000, 80_000, 100_000]);
});

test('ws: a client silent for 60 s is closed', async () => {
  await restart({});
  const client = await running.connect({ autoPong: false });
  running.clock.advance(59_000);
  expect(client.webSocket.readyState).toBe(WebSocket.OPEN);
  running.clock.advance(1_000);
  expect(await client.closed).toEqual({ code: 1008, reason: 'silent for 60 s' });
});

test('ws: a page of another origin is refused with 403, programs and listed origins are not', async () => {
  await restart({ allowedOrigins: ['https://trade.example'] });
  const { url } = running;
  expect(await upgradeStatus(url)).toBe(101);
  expect(await upgradeStatus(url, { origin: 'https://trade.example' })).toBe(101);
  expect(await upgradeStatus(url, { origin: 'https://evil.example' })).toBe(403);
  expect(await upgradeStatus(url, { origin: 'null' })).toBe(403);
  expect(await upgradeStatus(url, { 'sec-websocket-origin': 'https://evil.example' })).toBe(403);
});

test('ws: a page served by the service itself may connect', async () => {
  const { host } = new URL(running.url);
  expect(await upgradeStatus(running.url, { origin: `http://${host}` })).toBe(101);
  expect(await upgradeStatus(running.url, { origin: `http://${host}.evil.example` })).toBe(403);
});

test('ws: other paths are answered with 404', async () => {
  expect(await upgradeStatus(running.url.replace('/ws', '/wsx'))).toBe(404);
  expect(await upgradeStatus(running.url.replace('/ws', '/other/ws'))).toBe(404);
  expect(await upgradeStatus(running.url.replace('/ws', '/'))).toBe(404);
  expect(await upgradeStatus(`${running.url}?a=1`)).toBe(101);
});

test('ws: a broken handshake is answered with 400 and frees its place', async () => {
  await restart({ limits: { connectionsPerClientMax: 1 } });
  const { port } = new URL(running.url);
  const status = await new Promise((resolve, reject) => {
    const upgrade = request({
      port,
      path: '/ws',
      headers: { connection: 'upgrade', upgrade: 'h2c' },
    });
    upgrade.on('response', (response) => resolve(response.resume().statusCode));
    upgrade.on('error', reject);
    upgrade.end();
  });
  expect(status).toBe(400);
  await expect.poll(() => upgradeStatus(running.url)).toBe(101);
});

test('ws: connections per client address are limited', async () => {
  await restart({ limits: { connectionsPerClientMax: 2 } });
  const clients = [await running.connect(), await running.connect()];
  expect(await upgradeStatus(running.url)).toBe(429);
  clients[0]?.webSocket.terminate();
  await expect.poll(() => upgradeStatus(running.url)).toBe(101);
});

test('ws: behind a trusted proxy the limit counts the client, not the proxy', async () => {
  await restart({ limits: { connectionsPerClientMax: 1 }, trustedProxies: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await running.connect({ headers: from('9.9.9.9') });
  expect(await upgradeStatus(running.url, from('9.9.9.9'))).toBe(429);
  expect(await upgradeStatus(running.url, from('8.8.8.8'))).toBe(101);
});

test('ws: connections of all clients together are limited', async () => {
  await restart({ limits: { connectionsMax: 1 } });
  await running.connect();
  expect(await upgradeStatus(running.url)).toBe(503);
});
