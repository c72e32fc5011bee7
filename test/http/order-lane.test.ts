import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EngineBusyError } from '../../src/application/ports/exchange.ts';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestKey, type TestServer } from '../support/test-server.ts';

// The same request sent over a connection, where plain orders take the short way, and injected,
// where everything takes the long one.

const path = '/api/v1/spot/orders';
const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' };

let server: TestServer;
let key: TestKey;
let url: string;

async function open(limits: Record<string, number> = {}): Promise<void> {
  server = await createTestServer({ limits });
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  key = await server.addKey();
  url = await server.app.listen({ host: '127.0.0.1', port: 0 });
}

beforeEach(() => open());
afterEach(() => server.close());

interface Heard {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

interface Signed {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly payload: string;
}

function sign(body: object, timestamp = server.time, by = key): Signed {
  return by.postJson(path, body, timestamp) as unknown as Signed;
}

async function send(request: Signed): Promise<Heard> {
  const reply = await fetch(`${url}${request.url}`, {
    method: 'POST',
    headers: request.headers,
    body: request.payload,
  });
  const headers = Object.fromEntries(reply.headers);
  return { status: reply.status, headers, body: await reply.text() };
}

async function inject(request: Signed): Promise<Heard> {
  const { statusCode, headers, body } = await server.inject(request);
  return { status: statusCode, headers, body };
}

/** An order that has gone the long way, so that the next one may take the short one. */
async function openLane(): Promise<void> {
  expect((await send(sign(order))).status).toBe(200);
  server.time += 1;
}

// What differs from one order to the next, and what a connection adds.
function comparable({ status, headers, body }: Heard): unknown {
  const ofConnection = ['date', 'connection', 'keep-alive'];
  const rest = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.includes(name)),
  );
  const text = body
    .replace(/"order_id":"[^"]+"/, '"order_id":"one"')
    .replace(/"trade_id":"[^"]+"/g, '"trade_id":"one"');
  const requestId = /^[0-9a-f]{12}-[0-9a-z]+$/.test(String(rest['x-request-id']));
  return { status, body: text, headers: { ...rest, 'x-request-id': requestId } };
}

test.each([
  ['an order that rests', order],
  ['an order with every field', { ...order, tif: 'gtc', client_order_id: 'bot-1' }],
  ['a market that is not there', { ...order, symbol: 'NOPE' }],
  ['a wrong side', { ...order, side: 'up' }],
  ['a price off the tick', { ...order, price: '1.0000001' }],
  ['more than there is', { ...order, quantity: '100000000' }],
  ['an unknown field', { ...order, extra: 1 }],
  ['a field of the wrong type', { ...order, quantity: true }],
  ['a missing field', { symbol: 'BTCUSDT' }],
])('lane: %s is answered as by the general path, header by header', async (_name, body) => {
  await openLane();
  const short = comparable(await send(sign(body)));
  await server.close();
  await open();
  await openLane();
  const long = comparable(await inject(sign(body)));
  expect(short).toEqual(long);
});

test('lane: a wrong signature is refused, and other valid signatures still count', async () => {
  await openLane();
  const good = sign(order);
  const bad = { ...good, payload: good.payload.replace('"buy"', '"sell"') };
  expect((await send(bad)).status).toBe(401);
  expect((await send(good)).status).toBe(200);
});

test('lane: the same signed order twice, at once or later, is one order', async () => {
  await openLane();
  const request = sign(order);
  const replies = await Promise.all(Array.from({ length: 10 }, () => send(request)));
  replies.push(await inject(request), await send(request));
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const account = server.exchange.engine.findAccount(testAddress(1))!;
  expect(server.exchange.engine.listOpenOrders(account, null)).toHaveLength(2);
});

test('lane: limits count both paths together, and the refusal counts once', async () => {
  await server.close();
  await open({ ordersPerTenSeconds: 3 });
  await openLane();
  const orders = [1, 2, 3].map((step) => sign(order, server.time + step));
  expect((await send(orders[0]!)).headers['x-mbx-order-count-10s']).toBe('2');
  expect((await inject(orders[1]!)).headers['x-mbx-order-count-10s']).toBe('3');
  const refused = await send(orders[2]!);
  expect(refused.status).toBe(429);
  expect(refused.headers['x-mbx-order-count-10s']).toBe('4');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('lane: a busy engine is reported, and the order can be sent again', async () => {
  await openLane();
  const request = sign(order);
  const submit = server.exchange.submit.bind(server.exchange);
  server.exchange.submit = async () => {
    throw new EngineBusyError('the queue is full');
  };
  const busy = await send(request);
  expect([busy.status, JSON.parse(busy.body)]).toEqual([503, { error: 'ENGINE_BUSY' }]);
  server.exchange.submit = submit;
  expect((await send(request)).status).toBe(200);
});

test('lane: a key that is disabled or bound to other addresses is refused', async () => {
  await openLane();
  const bound = await server.addKey({ apiKey: 'b'.repeat(64), ipWhitelist: ['10.0.0.0/8'] });
  expect((await send(sign(order, server.time, bound))).status).toBe(403);
  await server.apiKeys.change(testAddress(1), key.credential.apiKey, { isEnabled: false });
  expect((await send(sign(order))).status).toBe(401);
});

test('lane: a body in several segments takes the general path', async () => {
  await openLane();
  const { url: target, headers, payload: body } = sign(order);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`POST ${target} HTTP/1.1`, 'host: x', ...lines];
  socket.write(
    `${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data: Buffer) => resolve(data.toString()));
    setImmediate(() => socket.write(body.slice(20)));
  });
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
});

test('lane: orders are measured like other requests', async () => {
  await openLane();
  await send(sign(order));
  const text = await server.metrics.metrics();
  expect(text).toContain(
    'http_request_duration_seconds_count{method="POST",route="/api/v1/spot/orders",status="200"} 2',
  );
});

test('lane: a Content-Length of 00 is refused by both paths', async () => {
  const { port } = new URL(url);
  const { url: target } = sign(order);
  const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nX-MBX-APIKEY: ${key.credential.apiKey}\r\n`;
  // The first request makes the connection one of node:http.
  const before = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  for (const first of ['', before]) {
    const socket = connect(Number(port), '127.0.0.1');
    let heard = '';
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    socket.write(`${first}${head}Content-Length: 00\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(heard.match(/HTTP\/1\.1 (\d+)/g)?.at(-1)).toBe('HTTP/1.1 400');
  }
});
