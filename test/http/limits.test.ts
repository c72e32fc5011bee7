import { afterEach, describe, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import {
  createTestServer,
  type TestServer,
  type TestServerOptions,
  testAdminKey,
} from '../support/test-server.ts';

let server: TestServer;

async function start(options: TestServerOptions): Promise<void> {
  server = await createTestServer(options);
  // At the start of a minute, so that no window ends within a test.
  server.time = Math.ceil(server.time / 60_000) * 60_000;
  server.exchange.addMarket('BTCUSDT');
}
afterEach(() => server.close());

describe('weights', () => {
  test('X-MBX-USED-WEIGHT-1M counts up and starts again with the minute', async () => {
    await start({});
    const used = async (): Promise<unknown> =>
      (await server.inject({ url: '/api/v1/spot/markets' })).headers['x-mbx-used-weight-1m'];
    expect([await used(), await used(), await used()]).toEqual(['1', '2', '3']);
    server.time += 60_000;
    expect(await used()).toBe('1');
  });

  test('tickers weigh more without a symbol', async () => {
    await start({});
    const used = async (query: string): Promise<unknown> => {
      const reply = await server.inject({ url: `/api/v1/spot/ticker/24hr${query}` });
      return reply.headers['x-mbx-used-weight-1m'];
    };
    expect([await used('?symbol=BTCUSDT'), await used('')]).toEqual(['5', '45']);
  });

  test('open orders weigh more without a symbol', async () => {
    await start({});
    const { authorization } = await server.bearer(testAddress(1));
    const used = async (query: string): Promise<unknown> => {
      const reply = await server.inject({
        url: `/api/v1/spot/orders/open${query}`,
        headers: { authorization },
      });
      return reply.headers['x-mbx-used-weight-1m'];
    };
    expect([await used('?symbol=BTCUSDT'), await used('')]).toEqual(['3', '83']);
  });

  test('over the limit: 429 RATE_LIMITED with Retry-After in each form', async () => {
    await start({ limits: { requestWeightPerMinute: 2 } });
    server.time += 12_500;
    await server.inject({ url: '/api/v1/spot/markets' });
    await server.inject({ url: '/api/v1/spot/markets' });
    const plain = await server.inject({ url: '/api/v1/spot/markets' });
    expect([plain.statusCode, plain.json<unknown>()]).toEqual([429, { error: 'RATE_LIMITED' }]);
    expect(plain.headers['retry-after']).toBe('48');
    const wrapped = await server.inject({ url: '/api/v1/account/profile' });
    expect([wrapped.statusCode, wrapped.json<unknown>()]).toMatchObject([
      429,
      { error: { code: 'RATE_LIMITED' } },
    ]);
    const exchange = await server.inject({ url: '/fapi/v1/ping' });
    expect([exchange.statusCode, exchange.json<unknown>()]).toEqual([
      429,
      { code: -1003, msg: 'Too many requests.' },
    ]);
    server.time += 47_500;
    expect((await server.inject({ url: '/api/v1/spot/markets' })).statusCode).toBe(200);
  });

  test('paths that no route can have count too', async () => {
    await start({ limits: { requestWeightPerMinute: 2 } });
    const statuses: number[] = [];
    for (const url of ['/%zz', `/api/v1/spot/markets/${'x'.repeat(200)}`, '/none', '/%zz']) {
      statuses.push((await server.inject({ url })).statusCode);
    }
    expect(statuses).toEqual([404, 404, 429, 429]);
  });

  test('an address that continues although refused gets 418 with Retry-After, for orders too', async () => {
    await start({ limits: { requestWeightPerMinute: 1 } });
    const key = await server.addKey();
    const ask = async (url: string) => server.inject({ url });
    const statuses = new Set<number>();
    for (let request = 0; request < 110; request += 1) {
      statuses.add((await ask('/api/v1/spot/markets')).statusCode);
    }
    expect([...statuses]).toEqual([200, 429, 418]);
    const plain = await ask('/api/v1/spot/markets');
    expect([plain.statusCode, plain.headers['retry-after'], plain.json<unknown>()]).toEqual([
      418,
      '120',
      { error: 'RATE_LIMITED' },
    ]);
    const exchange = await ask('/fapi/v1/ping');
    expect([exchange.statusCode, exchange.json<unknown>()]).toMatchObject([418, { code: -1003 }]);
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' };
    const refused = await server.inject(key.postJson('/api/v1/spot/orders', order));
    expect(refused.statusCode).toBe(418);
    server.time += 120_000;
    expect((await ask('/api/v1/spot/markets')).statusCode).toBe(200);
  });

  test('each client address has its own limit', async () => {
    await start({ limits: { requestWeightPerMinute: 1 }, trustedProxies: ['127.0.0.1'] });
    const from = async (client: string): Promise<number> => {
      const headers = { 'x-forwarded-for': client };
      return (await server.inject({ url: '/api/v1/spot/markets', headers })).statusCode;
    };
    expect(await from('9.9.9.9')).toBe(200);
    expect(await from('9.9.9.9')).toBe(429);
    expect(await from('::ffff:9.9.9.9')).toBe(429);
    expect(await from('9.9.9.8')).toBe(200);
    expect(await from('2001:db8::1')).toBe(200);
    expect(await from('2001:db8::2')).toBe(429);
    expect(await from('2001:db8:0:1::1')).toBe(200);
  });

  test('a key has one limit, wherever its requests come from', async () => {
    // The balances weigh 2.
    await start({ limits: { requestWeightPerMinute: 4 }, trustedProxies: ['127.0.0.1'] });
    const key = await server.addKey();
    const from = async (client: string): Promise<number> => {
      const request = key.get('/api/v1/spot/balances');
      const headers = { ...key.headers, 'x-forwarded-for': client };
      return (await server.inject({ ...request, headers })).statusCode;
    };
    expect(await from('9.0.0.1')).toBe(200);
    expect(await from('9.0.0.2')).toBe(200);
    expect(await from('9.0.0.3')).toBe(429);
  });

  test('unknown paths count too', async () => {
    await start({ limits: { requestWeightPerMinute: 1 } });
    expect((await server.inject({ url: '/api/v1/nothing' })).statusCode).toBe(404);
    expect((await server.inject({ url: '/api/v1/nothing' })).statusCode).toBe(429);
  });

  test('health and the administration have no weight, metrics have', async () => {
    await start({ limits: { requestWeightPerMinute: 1 } });
    await server.inject({ url: '/api/v1/nothing' });
    await server.inject({ url: '/api/v1/nothing' });
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    expect((await server.inject({ url: '/metrics' })).statusCode).toBe(429);
    const admin = await server.inject({
      method: 'PUT',
      url: '/api/v1/admin/spot/markets/BTCUSDT/status',
      headers: { 'x-api-key': testAdminKey },
      payload: { status: 'halted' },
    });
    expect(admin.statusCode).toBe(200);
  });
});

describe('orders', () => {
  const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '1', quantity: '1' };

  test('counted per account in ten seconds and in a minute', async () => {
    await start({});
    server.exchange.addTrader(1);
    const key = await server.addKey();
    const counts = async (): Promise<unknown[]> => {
      const { headers } = await server.inject(key.postJson('/api/v1/spot/orders', order));
      return [headers['x-mbx-order-count-10s'], headers['x-mbx-order-count-1m']];
    };
    expect(await counts()).toEqual(['1', '1']);
    server.time += 1;
    expect(await counts()).toEqual(['2', '2']);
    server.time += 10_000;
    expect(await counts()).toEqual(['1', '3']);
  });

  test('over the limit: 429 with Retry-After, and no order is made', async () => {
    await start({ limits: { ordersPerTenSeconds: 1 } });
    server.exchange.addTrader(1);
    const account = server.exchange.engine.findAccount(testAddress(1));
    const headers = await server.bearer();
    const place = async () =>
      server.inject({ method: 'POST', url: '/api/v1/spot/orders', headers, payload: order });
    expect((await place()).statusCode).toBe(200);
    const refused = await place();
    expect([refused.statusCode, refused.json<unknown>()]).toEqual([429, { error: 'RATE_LIMITED' }]);
    expect(refused.headers['retry-after']).toBe('10');
    expect(account).not.toBeNull();
    if (account !== null) {
      expect(server.exchange.engine.listOpenOrders(account, null)).toHaveLength(1);
    }
    server.time += 10_000;
    expect((await place()).statusCode).toBe(200);
  });
});

describe('sign-in', () => {
  test('nonces and sign-ins of an address are limited together', async () => {
    await start({ limits: { signInsPerMinute: 2 } });
    const ask = {
      method: 'POST',
      url: '/api/v1/auth/nonce',
      payload: { address: testAddress(1) },
    } as const;
    const logIn = { method: 'POST', url: '/api/v1/auth/login', payload: {} } as const;
    expect((await server.inject(ask)).statusCode).toBe(200);
    expect((await server.inject(logIn)).statusCode).toBe(400);
    const refused = await server.inject(ask);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    expect((await server.inject(logIn)).statusCode).toBe(429);
  });

  test('wrong admin keys are limited, the right one still passes', async () => {
    await start({ limits: { signInsPerMinute: 2 } });
    const attempt = async (key: string): Promise<number> => {
      const request = { method: 'PUT', url: '/api/v1/admin/spot/markets/BTCUSDT/status' } as const;
      const headers = { 'x-api-key': key };
      const payload = { status: 'listed' };
      return (await server.inject({ ...request, headers, payload })).statusCode;
    };
    expect(await attempt('wrong')).toBe(401);
    expect(await attempt('wrong')).toBe(401);
    expect(await attempt('wrong')).toBe(429);
    expect(await attempt(testAdminKey)).toBe(200);
  });
});
