import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineBusyError } from '../../src/application/ports/exchange.ts';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestKey, type TestServer } from '../support/test-server.ts';

const path = '/api/v1/spot/orders';
const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' };

let server: TestServer;
let key: TestKey;

beforeEach(async () => {
  server = await createTestServer();
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  key = await server.addKey();
});
afterEach(() => server.close());

function openOrders(): number {
  const account = server.exchange.engine.findAccount(testAddress(1));
  return account === null ? 0 : server.exchange.engine.listOpenOrders(account, null).length;
}

describe('a signed order sent twice', () => {
  test('byte-identical within 120 s: the first answer, no second order', async () => {
    const request = key.postJson(path, order, server.time + 60_000);
    const first = await server.inject(request);
    expect(first.statusCode).toBe(200);
    server.time += 119_999;
    const second = await server.inject(request);
    expect([second.statusCode, second.body]).toEqual([200, first.body]);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(openOrders()).toBe(1);
  });

  test('after the window the request itself is refused', async () => {
    const request = key.postJson(path, order, server.time + 60_000);
    await server.inject(request);
    server.time += 120_001;
    expect((await server.inject(request)).statusCode).toBe(401);
    expect(openOrders()).toBe(1);
  });

  test('concurrent repetitions: one order, one answer for all', async () => {
    const request = key.postJson(path, order);
    const replies = await Promise.all(
      Array.from({ length: 20 }, async () => server.inject(request)),
    );
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    expect(openOrders()).toBe(1);
  });

  test('a refusal is repeated as it was, though the order would now succeed', async () => {
    const request = key.postJson(path, { ...order, symbol: 'ETHUSDT' });
    const first = await server.inject(request);
    expect([first.statusCode, first.json<unknown>()]).toEqual([404, { error: 'MARKET_NOT_FOUND' }]);
    server.exchange.addMarket('ETHUSDT');
    const second = await server.inject(request);
    expect([second.statusCode, second.body]).toEqual([404, first.body]);
  });

  test('an order that a full engine refused can be sent again', async () => {
    const request = key.postJson(path, order);
    const submit = server.exchange.submit.bind(server.exchange);
    server.exchange.submit = async () => {
      throw new EngineBusyError('full');
    };
    const first = await server.inject(request);
    expect([first.statusCode, first.json<unknown>()]).toEqual([503, { error: 'ENGINE_BUSY' }]);
    server.exchange.submit = submit;
    expect((await server.inject(request)).statusCode).toBe(200);
    expect(openOrders()).toBe(1);
  });

  test('an order whose result is unknown is not placed again: 409 REQUEST_REPEATED', async () => {
    const request = key.postJson(path, order);
    const submit = server.exchange.submit.bind(server.exchange);
    server.exchange.submit = async (command) => {
      await submit(command);
      throw new Error('the answer was lost');
    };
    expect((await server.inject(request)).statusCode).toBe(500);
    server.exchange.submit = submit;
    const second = await server.inject(request);
    expect([second.statusCode, second.json<unknown>()]).toEqual([
      409,
      { error: 'REQUEST_REPEATED' },
    ]);
    expect(openOrders()).toBe(1);
  });
});

describe('requests that are not repetitions', () => {
  test('another timestamp makes another order', async () => {
    await server.inject(key.postJson(path, order));
    server.time += 1;
    await server.inject(key.postJson(path, order));
    expect(openOrders()).toBe(2);
  });

  test('another key of the same account makes another order', async () => {
    const other = await server.addKey();
    await server.inject(key.postJson(path, order));
    await server.inject(other.postJson(path, order));
    expect(openOrders()).toBe(2);
  });

  test('orders by token are never treated as repetitions', async () => {
    const headers = await server.bearer();
    const request = { method: 'POST', url: path, headers, payload: order } as const;
    await server.inject(request);
    await server.inject(request);
    expect(openOrders()).toBe(2);
  });
});
