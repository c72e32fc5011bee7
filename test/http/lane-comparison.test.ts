import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FuturesPorts } from '../../src/application/futures/futures-ports.ts';
import { HttpConnection } from '../../src/client/http-connection.ts';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import { OrderLane } from '../../src/gateway/http/lane/order-lane.ts';
import { MemoryListenKeys } from '../support/memory-listen-keys.ts';
import { futuresOf } from '../support/order-entry-fixture.ts';
import { createTestServer, TestKey, type TestServer, wideLimits } from '../support/test-server.ts';

// Generated orders, each sent to two equal exchanges: to one over a connection, where plain orders
// take the short way past the framework, to the other injected, where everything takes the long
// one. Status, body and the headers that callers read must be the same.

const caseCount = 20_000;
/** An account may have 200 open orders; then both exchanges cancel all. */
const cancelEvery = 150;

interface Order {
  readonly path: '/api/v1/spot/orders' | '/fapi/v1/order' | '/fapi/v1/algoOrder';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly place: 'query' | 'form' | 'json' | 'split';
  readonly isEncoded: boolean;
  readonly signature: 'right' | 'wrong' | 'none';
  readonly lateMs: number;
  readonly extraQuery: string;
}

interface Twin {
  readonly server: TestServer;
  close(): Promise<void>;
}

let short: Twin;
let long: Twin;
let connection: HttpConnection;
let key: TestKey;
const time = Date.now();

function memberOf(server: TestServer | null, name: string | symbol): unknown {
  if (server === null) throw new Error('the server is not open yet');
  const member: unknown = Reflect.get(server.exchange, name);
  return typeof member === 'function' ? member.bind(server.exchange) : member;
}

async function openTwin(): Promise<Twin> {
  let server: TestServer | null = null;
  const now = () => time as TimestampMs;
  const ports = {
    // The server makes its exchange, and the routes are wanted before the server.
    exchange: new Proxy({}, { get: (_none, name) => memberOf(server, name) }),
    barrier: { waitFor: async () => {} },
    futuresHistory: { findOrder: async () => null, findOrderByClientId: async () => null },
    newClientOrderId: () => 'generated',
    now,
  } as unknown as FuturesPorts;
  const listenKeys = new MemoryListenKeys({ makeKey: () => 'k'.repeat(64), now });
  const routes = fapiRoutes({ ports, limits: wideLimits, listenKeys, isListenKeyUnsigned: false });
  server = await createTestServer({ extraRoutes: [routes], logLevel: 'silent' });
  server.time = time;
  const futures = futuresOf(server.exchange);
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  futures.fund(1, 100_000);
  futures.setIndex(30_000);
  await server.apiKeys.create(key.credential);
  return { server, close: async () => server.close() };
}

beforeAll(async () => {
  key = new TestKey({}, () => time);
  [short, long] = [await openTwin(), await openTwin()];
  connection = new HttpConnection(await short.server.app.listen({ host: '127.0.0.1', port: 0 }), 1);
});
afterAll(async () => {
  await short.close();
  await long.close();
});

const usually = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 12 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );
const often = (usual: unknown, ...others: readonly unknown[]): fc.Arbitrary<unknown> =>
  usually(usual, ...others);
const absent = undefined;

const spotFields = fc.record({
  symbol: often('BTCUSDT', 'btcusdt', 'NOPE', '', null, 5, absent),
  side: fc.oneof(fc.constantFrom('buy', 'sell'), often('buy', 'BUY', 'up', absent)),
  type: often('limit', 'market', 'LIMIT', '', absent),
  price: often('1', '1.5', 2, '1.001', '0', '-1', '1e3', '9'.repeat(40), 'NaN', absent, null),
  quantity: often('1', '0.001', 3, '0.0001', '0', '99999999', true, ' 1', absent),
  tif: often(absent, 'gtc', 'ioc', 'fok', 'GTC', 'x'),
  client_order_id: often(absent, 'mine', 'a b', '\u0000', 'x'.repeat(100), 7),
  extra: often(absent, 1, { a: [] }),
});

const futuresFields = fc.record({
  symbol: often('BTCUSDT', 'btcusdt', 'NOPE', '', 'undefined', absent),
  side: fc.oneof(fc.constantFrom('BUY', 'SELL'), often('BUY', 'buy', 'HOLD', absent)),
  type: often('LIMIT', 'MARKET', 'STOP_MARKET', 'STOP_LIMIT', 'limit', absent),
  timeInForce: often('GTC', 'IOC', 'FOK', 'GTX', 'GTD', 'gtc', absent),
  quantity: often('0.01', '0.0101', '1e2', '0', '-1', '100', '9'.repeat(40), absent),
  price: often('29000', '31000', '29000.001', '0', 'x', absent),
  stopPrice: often(absent, '31000', '20000', '-1'),
  triggerPrice: often(absent, '31000', '20000'),
  algoType: often('CONDITIONAL', 'VP', absent),
  reduceOnly: often(absent, 'true', 'false', 'TRUE', 'yes'),
  closePosition: often(absent, 'true', 'false'),
  newOrderRespType: often(absent, 'RESULT', 'ACK', 'FULL'),
  newClientOrderId: often(absent, 'mine', 'a b', 'a%26b', 'ä', '%00', 'x'.repeat(40)),
  positionSide: often(absent, 'BOTH', 'LONG'),
  recvWindow: often(absent, '5000', 'x'),
});

const orders: fc.Arbitrary<Order> = fc
  .constantFrom<Order['path'][]>('/api/v1/spot/orders', '/fapi/v1/order', '/fapi/v1/algoOrder')
  .chain((path) =>
    fc.record<Order>({
      path: fc.constant<Order['path']>(path),
      fields: (path.startsWith('/api') ? spotFields : futuresFields) as fc.Arbitrary<
        Order['fields']
      >,
      place: path.startsWith('/api')
        ? usually<Order['place']>('json', 'query', 'form')
        : fc.constantFrom('query', 'form', 'json', 'split'),
      isEncoded: fc.boolean(),
      signature: usually<Order['signature']>('right', 'wrong', 'none'),
      lateMs: usually(0, 61_000, -61_000, 59_000),
      extraQuery: usually('', '&symbol=ETHUSDT', '&a=%zz', '&a=1&a=2', '&%73ide=SELL'),
    }),
  );

/** The request as it is sent. */
function requestOf(order: Order, number: number) {
  const { place, isEncoded, signature, lateMs, extraQuery, path } = order;
  const fields = Object.entries(order.fields).filter(([, value]) => value !== undefined);
  const pair = ([name, value]: readonly [string, unknown]): string =>
    `${name}=${isEncoded ? encodeURIComponent(String(value)) : String(value)}`;
  const half = Math.floor(fields.length / 2);
  const inQuery = place === 'query' ? fields : place === 'split' ? fields.slice(0, half) : [];
  const inForm = place === 'form' ? fields : place === 'split' ? fields.slice(half) : [];
  const timestamp = `timestamp=${time + lateMs + (number % 900)}&number=${number}`;
  const body = place === 'json' ? JSON.stringify(Object.fromEntries(fields)) : '';
  const form = inForm.map(pair).join('&');
  const payload = body || form;
  // A separate field would be refused beside a JSON body; there only the timestamp differs.
  const timed = place === 'json' ? `timestamp=${time + (number % 50_000)}` : timestamp;
  const parts = [...inQuery.map(pair), timed].join('&') + extraQuery;
  const query = signature === 'none' ? parts : `${parts}&signature=${signed(parts + payload)}`;
  const type = place === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    method: 'POST' as const,
    target: `${path}?${asciiOf(query)}`,
    headers: { ...key.headers, ...(payload === '' ? {} : { 'content-type': type }) },
    ...(payload === '' ? {} : { body: payload }),
  };

  function signed(text: string): string {
    return key.sign(signature === 'right' ? asciiOf(text) : `${text}x`);
  }
}

// A target takes no other characters; what is left of the value stays a value.
const asciiOf = (text: string): string => text.replace(/[^!-~]/g, '_');

const told = ['content-type', 'retry-after', 'x-mbx-order-count-1m', 'x-mbx-used-weight-1m'];

function comparable(status: number, headers: object, body: string): string {
  const shown = told.map((name) => String((headers as Record<string, unknown>)[name]));
  const plain = body
    .replace(/"(order_id|trade_id)":"[^"]+"/g, '"$1":"one"')
    .replace(/"timestamp":\d+/g, '"timestamp":0');
  return [status, ...shown, plain].join('\n');
}

async function cancelAll(): Promise<void> {
  for (const { server } of [short, long]) {
    for (const path of ['/api/v1/spot/orders', '/fapi/v1/allOpenOrders']) {
      const { statusCode } = await server.inject(key.delete(path, 'symbol=BTCUSDT'));
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    }
  }
}

test(`${caseCount} generated orders are answered alike by both ways`, async () => {
  const answer = vi.spyOn(OrderLane.prototype, 'answer');
  const statuses = new Map<number, number>();
  const cases = fc.sample(orders, { numRuns: caseCount, seed: 42 });
  for (const [number, order] of cases.entries()) {
    if (number % cancelEvery === 0) await cancelAll();
    const request = requestOf(order, number);
    const first = await connection.send(request);
    const { target, body, ...rest } = request;
    const second = await long.server.inject({
      method: rest.method,
      url: target,
      headers: rest.headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    const what = JSON.stringify(request);
    expect(`${what}\n${comparable(first.status, first.headers, first.text)}`).toBe(
      `${what}\n${comparable(second.statusCode, second.headers, second.body)}`,
    );
    statuses.set(first.status, (statuses.get(first.status) ?? 0) + 1);
  }
  // The short way was taken, and of all orders many are made and many refused.
  expect(answer.mock.calls.length).toBeGreaterThan(caseCount / 10);
  expect(statuses.get(200)).toBeGreaterThan(caseCount / 10);
  expect(statuses.get(400)).toBeGreaterThan(caseCount / 10);
  expect(statuses.get(401)).toBeGreaterThan(caseCount / 100);
});
