import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw, RawConnection } from '../support/raw-request.ts';
import { createTestServer, type TestKey, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let key: TestKey;
let port: number;

beforeAll(async () => {
  server = await createTestServer({
    timeouts: { headersMs: 200, requestMs: 400, checkIntervalMs: 20 },
  });
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  key = await server.addKey();
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

describe('names that reach an object', () => {
  test.each([
    '{"symbol":"BTCUSDT","__proto__":{"isAdmin":true}}',
    '{"__proto__":{"symbol":"BTCUSDT"}}',
    '{"symbol":"BTCUSDT","\\u005f_proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}},"symbol":"BTCUSDT"}',
  ])('body %s: 400 INVALID_PARAMETER', async (payload) => {
    const headers = { ...(await server.bearer()), 'content-type': 'application/json' };
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/spot/orders',
      headers,
      payload,
    });
    expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
      400,
      { error: 'INVALID_PARAMETER' },
    ]);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'symbol %s: no market, no crash',
    async (symbol) => {
      const depth = await server.inject({ url: `/api/v1/spot/depth?symbol=${symbol}` });
      expect([depth.statusCode, depth.json<unknown>()]).toEqual([
        404,
        { error: 'MARKET_NOT_FOUND' },
      ]);
      const market = await server.inject({ url: `/api/v1/spot/markets/${symbol}` });
      expect(market.statusCode).toBe(404);
    },
  );

  test.each(['__proto__=1', 'constructor=1', 'symbol=BTCUSDT&__proto__[x]=1'])(
    'query %s: an unknown parameter, 400',
    async (query) => {
      const reply = await server.inject({ url: `/api/v1/spot/markets?${query}` });
      expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
        400,
        { error: 'INVALID_PARAMETER' },
      ]);
    },
  );
});

describe('bodies', () => {
  test.each([
    ['lists', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['objects that never end', '{"a":'.repeat(13_000)],
  ])('deep %s: 400 and the service continues', async (_name, payload) => {
    const headers = { ...(await server.bearer()), 'content-type': 'application/json' };
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/spot/orders',
      headers,
      payload,
    });
    expect(reply.statusCode).toBe(400);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  });

  test('a compressed body: 400, never decompressed', async () => {
    const headers = {
      ...(await server.bearer()),
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    };
    const payload = Buffer.from('1f8b0800000000000003ab562a', 'hex');
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/spot/orders',
      headers,
      payload,
    });
    expect(reply.statusCode).toBe(400);
  });

  test.each(['a\0b', 'a%00b'])('a form with the character NUL as %j: 400', async (label) => {
    const headers = {
      ...(await server.bearer()),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const request = { method: 'POST', url: '/api/v1/account/api-keys', headers } as const;
    const reply = await server.inject({ ...request, payload: `label=${label}` });
    expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
      400,
      { error: { code: 'INVALID_PARAMETER' } },
    ]);
    expect((await server.inject({ ...request, payload: 'label=ab' })).statusCode).toBe(200);
  });

  test('a body over 64 KiB without a declared length: 413', async () => {
    const { authorization } = await server.bearer();
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const answer = await exchangeRaw(
      port,
      `POST /api/v1/spot/orders HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
        `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('{"error":"PAYLOAD_TOO_LARGE"}');
  });
});

describe('connections', () => {
  test('headers that arrive too slowly: 408 and the end, other clients are served', async () => {
    const slow = Array.from({ length: 20 }, () => new RawConnection(port));
    for (const connection of slow) connection.send('GET /healthz HTTP/1.1\r\nhost: x\r\n');
    const healthy = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect(healthy.status).toBe(200);
    const answers = await Promise.all(slow.map(async (connection) => connection.ended()));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toMatch(/x-request-id: [0-9a-f]{12}-/);
    }
  });

  test('a body that arrives too slowly: the connection ends', async () => {
    const { authorization } = await server.bearer();
    const answer = await exchangeRaw(
      port,
      `POST /api/v1/spot/orders HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"symbol"',
    );
    expect(answer).not.toContain('HTTP/1.1 200');
  });

  test('headers larger than 16 KiB: 431', async () => {
    const answer = await exchangeRaw(
      port,
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('{"error":"HEADERS_TOO_LARGE"}');
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello',
    ],
    ['a header with a bare line end', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx: a\nb\r\n\r\n'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['chunked, badly spelled', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n'],
  ])('%s: 400 and the end of the connection', async (_name, text) => {
    expect(await exchangeRaw(port, text)).toMatch(/HTTP\/1\.1 400 /);
  });

  test('a method override header is not obeyed', async () => {
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/spot/orders',
      headers: { ...(await server.bearer()), 'x-http-method-override': 'DELETE' },
      payload: {},
    });
    expect(reply.json<unknown>()).toMatchObject({ error: 'INVALID_PARAMETER' });
  });

  test('a client that disconnects in the middle does no harm', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /api/v1/auth/nonce HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"add');
    await new Promise<void>((resolve) => {
      socket.end(resolve);
    });
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});

describe('numbers', () => {
  const bad = [
    '1e400',
    '1e-400',
    '1e3',
    'NaN',
    'Infinity',
    '-Infinity',
    '-0',
    '-1',
    '0',
    '+5',
    '0x10',
    '00001',
    '5.',
    '.5',
    '',
    ' 5',
    '5 ',
    '5\n',
    '٣',
    '５',
    '1_000',
    '1,000',
    '1'.repeat(31),
    '9'.repeat(60_000),
    `0.${'0'.repeat(18)}1`,
    '1e100000000',
    'null',
    'true',
    '1n',
    '1.1.1',
    '--1',
    '0b1',
    '0o7',
  ];

  test.each(bad)('quantity %j: 400', async (quantity) => {
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity };
    const reply = await server.inject(key.postJson('/api/v1/spot/orders', order));
    expect(reply.statusCode).toBe(400);
  });

  test.each([
    ['1e400', 400],
    ['-0', 400],
    ['1.0e0', 200],
    ['1e21', 400],
    ['0.1234567890123456', 400],
    ['12345678901234567.89', 400],
    ['0.001', 200],
    ['true', 400],
    ['[]', 400],
    ['{}', 400],
  ])('a JSON number %s as quantity: %i', async (text, status) => {
    const query = `timestamp=${server.time}`;
    const body = `{"symbol":"BTCUSDT","side":"buy","type":"limit","price":"100","quantity":${text}}`;
    const reply = await server.inject({
      method: 'POST',
      url: `/api/v1/spot/orders?${query}&signature=${key.sign(query + body)}`,
      headers: { ...key.headers, 'content-type': 'application/json' },
      payload: body,
    });
    expect(reply.statusCode).toBe(status);
  });
});
