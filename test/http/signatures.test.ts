import { createHmac } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done } from '../../src/domain/outcome.ts';
import { envelopeSurface } from '../../src/gateway/errors/envelope-errors.ts';
import { exchangeSurface } from '../../src/gateway/errors/exchange-errors.ts';
import { spotSurface } from '../../src/gateway/errors/plain-errors.ts';
import type { Surface } from '../../src/gateway/errors/surface.ts';
import { accountReads, accountTrades, defineEndpoint } from '../../src/gateway/http/endpoint.ts';
import type { SurfaceRoutes } from '../../src/gateway/http/surface-routes.ts';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestKey, type TestServer } from '../support/test-server.ts';

// Answers with what it was given, so that a test sees what the handler read.
function echoRoutes(surface: Surface, path: string): SurfaceRoutes {
  const open = Type.Object({}, { additionalProperties: true });
  const common = { path, tag: 'Test', summary: 'x', description: 'x', weight: 1 } as const;
  const shared = { ...common, query: open, answer: Type.Unknown() } as const;
  return {
    surface,
    endpoints: [
      defineEndpoint({
        ...shared,
        method: 'GET',
        auth: accountReads,
        handle: ({ query, caller }) => done({ query, address: caller.address }),
      }),
      defineEndpoint({
        ...shared,
        method: 'POST',
        auth: accountTrades,
        body: Type.Optional(open),
        handle: ({ query, body, caller }) => done({ query, body, address: caller.address }),
      }),
    ],
  };
}

const spotPath = '/api/v1/spot/echo';
const envelopePath = '/api/v1/echo';
const fapiPath = '/fapi/v1/echo';
let server: TestServer;
let key: TestKey;

beforeAll(async () => {
  server = await createTestServer({
    extraRoutes: [
      echoRoutes(spotSurface, spotPath),
      echoRoutes(envelopeSurface, envelopePath),
      echoRoutes(exchangeSurface, fapiPath),
    ],
  });
  key = await server.addKey();
});
afterAll(() => server.close());

const formType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

interface Parts {
  readonly query?: string;
  readonly body?: string;
  readonly type?: string;
}

function request(parts: Parts, path = spotPath): InjectOptions {
  const { query = '', body, type = formType } = parts;
  return {
    method: body === undefined ? 'GET' : 'POST',
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...key.headers, ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { payload: body }),
  };
}

async function statusOf(parts: Parts): Promise<number> {
  const reply = await server.inject(request(parts));
  if (reply.statusCode === 401) expect(reply.body).toBe('');
  return reply.statusCode;
}

const at = (offsetMs = 0): string => String(server.time + offsetMs);

describe('what is signed', () => {
  test('query only: the query string without signature, in the order sent', async () => {
    const text = `symbol=BTCUSDT&limit=5&timestamp=${at()}`;
    expect(await statusOf({ query: `${text}&signature=${key.sign(text)}` })).toBe(200);
  });

  test('the signature can be at any position', async () => {
    const [a, b] = ['symbol=BTCUSDT', `timestamp=${at()}`];
    const signature = `signature=${key.sign(`${a}&${b}`)}`;
    expect(await statusOf({ query: `${signature}&${a}&${b}` })).toBe(200);
    expect(await statusOf({ query: `${a}&${signature}&${b}` })).toBe(200);
    expect(await statusOf({ query: `${b}&${a}&${signature}` })).toBe(401);
  });

  test('form body only: all fields in the body', async () => {
    const text = `symbol=BTCUSDT&side=BUY&timestamp=${at()}`;
    const reply = await server.inject(request({ body: `${text}&signature=${key.sign(text)}` }));
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ body: { symbol: 'BTCUSDT', side: 'BUY' }, query: {} });
  });

  test('query and body: the query directly followed by the body', async () => {
    const [query, body] = [`timestamp=${at()}`, 'symbol=BTCUSDT&side=BUY'];
    const signature = key.sign(query + body);
    expect(await statusOf({ query: `${query}&signature=${signature}`, body })).toBe(200);
    expect(await statusOf({ query, body: `${body}&signature=${signature}` })).toBe(200);
  });

  test('JSON body: signed as sent, byte for byte', async () => {
    const body = '{"symbol": "BTCUSDT",  "quantity":"1.0", "note":"é"}';
    const query = `timestamp=${at()}`;
    const signed = `${query}&signature=${key.sign(query + body)}`;
    expect(await statusOf({ query: signed, body, type: jsonType })).toBe(200);
    const again = JSON.stringify(JSON.parse(body));
    expect(await statusOf({ query: signed, body: again, type: jsonType })).toBe(401);
  });

  test('recvWindow: accepted and ignored', async () => {
    const text = `symbol=X&recvWindow=1&timestamp=${at(-50_000)}`;
    expect(await statusOf({ query: `${text}&signature=${key.sign(text)}` })).toBe(200);
    const query = `recvWindow=5000&timestamp=${at()}`;
    const body = '{"symbol":"X"}';
    const signed = `${query}&signature=${key.sign(query + body)}`;
    expect(await statusOf({ query: signed, body, type: jsonType })).toBe(200);
  });

  test('the raw text and its URL-encoded form both count', async () => {
    const time = `timestamp=${at()}`;
    const raw = `id=a/b:c&${time}`;
    const encoded = `id=a%2Fb%3Ac&${time}`;
    expect(await statusOf({ query: `${encoded}&signature=${key.sign(encoded)}` })).toBe(200);
    expect(await statusOf({ query: `${encoded}&signature=${key.sign(raw)}` })).toBe(200);
    expect(await statusOf({ query: `${raw}&signature=${key.sign(encoded)}` })).toBe(200);
    expect(await statusOf({ query: `${raw}&signature=${key.sign(raw)}` })).toBe(200);
  });

  test('a blank may be written as + or %20', async () => {
    const time = `timestamp=${at()}`;
    const [plus, percent] = [`note=a+b&${time}`, `note=a%20b&${time}`];
    expect(await statusOf({ query: `${plus}&signature=${key.sign(percent)}` })).toBe(200);
    expect(await statusOf({ query: `${percent}&signature=${key.sign(plus)}` })).toBe(200);
    expect(await statusOf({ query: `${percent}&signature=${key.sign(`note=a b&${time}`)}` })).toBe(
      200,
    );
  });

  test('uppercase hex is the same signature', async () => {
    const text = `timestamp=${at()}`;
    expect(await statusOf({ query: `${text}&signature=${key.sign(text).toUpperCase()}` })).toBe(
      200,
    );
  });

  test('the handler reads the parameters that were verified', async () => {
    const text = `client=a%26b&timestamp=${at()}`;
    const reply = await server.inject(request({ query: `${text}&signature=${key.sign(text)}` }));
    expect(reply.json()).toMatchObject({ query: { client: 'a&b' }, address: testAddress(1) });
  });
});

describe('invalid signatures', () => {
  const signed = (text: string): string => `${text}&signature=${key.sign(text)}`;

  test('a signed text that decodes to two different requests is refused', async () => {
    // Signed: one parameter with an ampersand in it. Sent: what looks the same once decoded.
    const honest = `newClientOrderId=a&reduceOnly=false&timestamp=${at()}`;
    const forged = `newClientOrderId=a%26reduceOnly%3Dfalse&timestamp=${at()}`;
    expect(await statusOf({ query: `${forged}&signature=${key.sign(honest)}` })).toBe(401);
  });

  test.each(['%26', '%3D', '%25', '%2B', '%23', '%0A', '%00', '%7F'])(
    'a decoded text with %s is refused',
    async (code) => {
      const sent = `id=a${code}b&timestamp=${at()}`;
      const decoded = `id=a${decodeURIComponent(code)}b&timestamp=${at()}`;
      expect(await statusOf({ query: `${sent}&signature=${key.sign(decoded)}` })).toBe(401);
      // As it was sent it is one request; only NUL is malformed wherever it occurs.
      const status = code === '%00' ? 400 : 200;
      expect(await statusOf({ query: signed(sent) })).toBe(status);
    },
  );

  test('parameters moved between query and body are refused', async () => {
    // Without a separator, "...id=a" + "reduceOnly=true" reads like one query "id=areduceOnly=true".
    const text = `timestamp=${at()}&id=a` + `reduceOnly=true&side=BUY`;
    const signature = key.sign(text);
    const split = { query: `timestamp=${at()}&id=a&signature=${signature}` };
    expect(await statusOf({ ...split, body: 'reduceOnly=true&side=BUY' })).toBe(401);
    expect(await statusOf({ query: `${text}&signature=${signature}` })).toBe(200);
  });

  test('a JSON body cannot be moved into the query or out of it', async () => {
    const body = '{"symbol":"X"}';
    const signature = key.sign(`timestamp=${at()}&note=${body}`);
    const query = `timestamp=${at()}&note=&signature=${signature}`;
    expect(await statusOf({ query, body, type: jsonType })).toBe(401);
  });

  test.each([
    ['a name twice', (time: string) => `symbol=A&symbol=A&timestamp=${time}`],
    ['a name twice, once encoded', (time: string) => `symbol=A&%73ymbol=B&timestamp=${time}`],
    ['two timestamps', (time: string) => `timestamp=${time}&timestamp=${time}`],
    ['more than 64 parameters', (time: string) => `${manyPairs(64)}&timestamp=${time}`],
    ['broken percent-encoding', (time: string) => `symbol=%zz&timestamp=${time}`],
    ['no timestamp', () => 'symbol=A'],
    ['a timestamp in seconds', (time: string) => `timestamp=${time.slice(0, 10)}`],
    ['a timestamp with an exponent', () => 'timestamp=1.79e12'],
    ['a timestamp with a sign', (time: string) => `timestamp=%2B${time}`],
    ['a timestamp with a blank', (time: string) => `timestamp=%20${time}`],
    ['a timestamp in other digits', (time: string) => `timestamp=${arabicDigits(time)}`],
    ['an empty timestamp', () => 'timestamp='],
  ])('%s: 401 with an empty body', async (_name, write) => {
    expect(await statusOf({ query: signed(write(at())) })).toBe(401);
  });

  test('a name in query and body: 401', async () => {
    const [query, body] = [`timestamp=${at()}`, `symbol=X&timestamp=${at()}`];
    const signature = key.sign(query + body);
    expect(await statusOf({ query: `${query}&signature=${signature}`, body })).toBe(401);
  });

  test('a signature in query and body: 401', async () => {
    const [query, body] = [`timestamp=${at()}`, 'symbol=X'];
    const signature = `signature=${key.sign(query + body)}`;
    expect(await statusOf({ query: `${query}&${signature}`, body: `${body}&${signature}` })).toBe(
      401,
    );
  });

  test.each([
    ['missing', ''],
    ['empty', '&signature='],
    ['not hex', `&signature=${'z'.repeat(64)}`],
    ['too short', `&signature=${'a'.repeat(63)}`],
    ['too long', `&signature=${'a'.repeat(65)}`],
    ['of something else', `&signature=${'a'.repeat(64)}`],
  ])('a signature that is %s: 401 with an empty body', async (_name, pair) => {
    expect(await statusOf({ query: `timestamp=${at()}${pair}` })).toBe(401);
  });

  test("another key's signature: 401", async () => {
    const other = createHmac('sha256', 'x'.repeat(64)).update(`timestamp=${at()}`).digest('hex');
    expect(await statusOf({ query: `timestamp=${at()}&signature=${other}` })).toBe(401);
  });

  test('a body changed after signing: 401', async () => {
    const query = `timestamp=${at()}`;
    const signature = key.sign(`${query}{"quantity":"1"}`);
    const sent = { query: `${query}&signature=${signature}`, type: jsonType };
    expect(await statusOf({ ...sent, body: '{"quantity":"9"}' })).toBe(401);
  });
});

describe('the time window', () => {
  test.each([
    [-60_000, 200],
    [60_000, 200],
    [-60_001, 401],
    [60_001, 401],
  ])('a timestamp %i ms off: %i', async (offsetMs, status) => {
    const text = `timestamp=${at(offsetMs)}`;
    expect(await statusOf({ query: `${text}&signature=${key.sign(text)}` })).toBe(status);
  });
});

describe('failures by surface', () => {
  const failures = async (change: InjectOptions): Promise<unknown[]> => {
    const replies = await Promise.all(
      [spotPath, envelopePath, fapiPath].map((path) => server.inject({ ...change, url: path })),
    );
    return replies.map((reply) => [
      reply.statusCode,
      reply.body === '' ? '' : codeOf(reply.json<unknown>()),
    ]);
  };

  test('no credentials: empty 401 on spot, UNAUTHORIZED, INVALID_API_KEY on /fapi', async () => {
    expect(await failures({})).toEqual([
      [401, ''],
      [401, 'UNAUTHORIZED'],
      [401, 'INVALID_API_KEY'],
    ]);
  });

  test('no signature: empty 401 on spot, SIGNATURE_INVALID elsewhere', async () => {
    expect(await failures({ headers: key.headers })).toEqual([
      [401, ''],
      [401, 'SIGNATURE_INVALID'],
      [401, 'SIGNATURE_INVALID'],
    ]);
  });

  test.each(['x'.repeat(64), 'short', '__proto__', ''])('unknown key %j: 401', async (apiKey) => {
    expect(await failures({ headers: { 'x-mbx-apikey': apiKey } })).toEqual([
      [401, 'INVALID_API_KEY'],
      [401, 'INVALID_API_KEY'],
      [401, 'INVALID_API_KEY'],
    ]);
  });

  test('a disabled key: 401 API_KEY_DISABLED, whatever its signature', async () => {
    const disabled = await server.addKey({ isEnabled: false });
    expect(await failures({ headers: disabled.headers })).toEqual([
      [401, 'API_KEY_DISABLED'],
      [401, 'API_KEY_DISABLED'],
      [401, 'API_KEY_DISABLED'],
    ]);
  });

  test('a client outside the whitelist: 403 IP_NOT_ALLOWED, before its signature', async () => {
    const far = await server.addKey({ ipWhitelist: ['10.0.0.0/8'] });
    expect(await failures({ headers: far.headers })).toEqual([
      [403, 'IP_NOT_ALLOWED'],
      [403, 'IP_NOT_ALLOWED'],
      [403, 'IP_NOT_ALLOWED'],
    ]);
    const near = await server.addKey({ ipWhitelist: ['10.0.0.0/8', '127.0.0.1'] });
    expect((await server.inject(near.get(spotPath))).statusCode).toBe(200);
  });

  test('a disabled key outside the whitelist: the key comes first', async () => {
    const both = await server.addKey({ isEnabled: false, ipWhitelist: ['10.0.0.1'] });
    expect(await failures({ headers: both.headers })).toContainEqual([401, 'API_KEY_DISABLED']);
  });

  test('/fapi: failed authentication comes in the envelope', async () => {
    const reply = await server.inject({ url: fapiPath, headers: key.headers });
    expect(reply.json()).toEqual({
      success: false,
      data: null,
      error: { code: 'SIGNATURE_INVALID', message: expect.any(String) as string },
      timestamp: Math.floor(server.time / 1000),
    });
  });
});

describe('permissions', () => {
  test('a key without trade: reads, but 403 PERMISSION_DENIED on writes', async () => {
    const reader = await server.addKey({ permissions: ['read'] });
    expect((await server.inject(reader.get(spotPath))).statusCode).toBe(200);
    const write = await server.inject(reader.postJson(spotPath, {}));
    expect([write.statusCode, write.json()]).toEqual([403, { error: 'PERMISSION_DENIED' }]);
    const wrapped = await server.inject(reader.postJson(envelopePath, {}));
    expect([wrapped.statusCode, codeOf(wrapped.json())]).toEqual([403, 'PERMISSION_DENIED']);
  });

  test('a key without read: 403 PERMISSION_DENIED on reads', async () => {
    const writer = await server.addKey({ permissions: ['trade'] });
    expect((await server.inject(writer.get(spotPath))).statusCode).toBe(403);
    expect((await server.inject(writer.postJson(spotPath, {}))).statusCode).toBe(200);
  });
});

describe('both credentials', () => {
  test('the Bearer token decides: its account, whatever the key', async () => {
    const headers = { ...key.headers, ...(await server.bearer(testAddress(7))) };
    const reply = await server.inject({ url: spotPath, headers });
    expect(reply.json()).toMatchObject({ address: testAddress(7) });
  });

  test('the Bearer token decides: a bad one is 401 although the key is good', async () => {
    const good = key.get(spotPath);
    const headers = { ...good.headers, authorization: 'Bearer nonsense' };
    const reply = await server.inject({ ...good, headers });
    expect([reply.statusCode, reply.body]).toEqual([401, '']);
  });
});

function codeOf(body: unknown): unknown {
  const { error } = body as { readonly error: string | { readonly code: string } };
  return typeof error === 'string' ? error : error.code;
}

function manyPairs(count: number): string {
  return Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
}

function arabicDigits(text: string): string {
  const digits = text.replace(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));
  return encodeURIComponent(digits);
}
