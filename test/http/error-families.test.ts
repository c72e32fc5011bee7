import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseError, InvalidCursorError } from '../../src/application/ports/database.ts';
import { EngineBusyError, EngineRestartingError } from '../../src/application/ports/exchange.ts';
import { done } from '../../src/domain/outcome.ts';
import { envelopeSurface } from '../../src/gateway/errors/envelope-errors.ts';
import { exchangeSurface } from '../../src/gateway/errors/exchange-errors.ts';
import { plainSurface, spotSurface } from '../../src/gateway/errors/plain-errors.ts';
import { anyone, defineEndpoint } from '../../src/gateway/http/endpoint.ts';
import { strictObject } from '../../src/gateway/http/schema.ts';
import type { SurfaceRoutes } from '../../src/gateway/http/surface-routes.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

const errors: Readonly<Record<string, Error>> = {
  busy: new EngineBusyError('internal words'),
  restarting: new EngineRestartingError('internal words'),
  database: new DatabaseError('internal words'),
  cursor: new InvalidCursorError('internal words'),
  bug: new Error('internal words'),
};

function faultyRoutes(surface: SurfaceRoutes['surface'], prefix: string): SurfaceRoutes {
  const common = { tag: 'Test', summary: 'x', description: 'x', auth: anyone, weight: 1 } as const;
  return {
    surface,
    endpoints: [
      defineEndpoint({
        ...common,
        method: 'GET',
        path: `${prefix}/fails/:how`,
        params: strictObject({ how: Type.String() }),
        answer: Type.Null(),
        handle: ({ params }) => {
          throw errors[params.how] ?? new Error('no such fault');
        },
      }),
      defineEndpoint({
        ...common,
        method: 'POST',
        path: `${prefix}/takes`,
        body: strictObject({
          count: Type.Integer({ minimum: 1, maximum: 5 }),
          word: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
          side: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['buy', 'sell'] })),
        }),
        query: strictObject({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })) }),
        answer: strictObject({ count: Type.Integer(), limit: Type.Integer() }),
        handle: ({ body, query }) => done({ count: body.count, limit: query.limit ?? 0 }),
      }),
    ],
  };
}

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({
    extraRoutes: [
      faultyRoutes(plainSurface, '/api/v1/chain'),
      faultyRoutes(spotSurface, '/api/v1/spot'),
      faultyRoutes(envelopeSurface, '/api/v1/points'),
      faultyRoutes(exchangeSurface, '/fapi/v1'),
    ],
  });
});
afterAll(() => server.close());

function envelope(code: string, message: unknown = expect.any(String)): object {
  return {
    success: false,
    data: null,
    error: { code, message },
    timestamp: Math.floor(server.time / 1000),
  };
}

describe('failures by surface', () => {
  test.each([
    ['busy', 503, 'ENGINE_BUSY', 500, -1001],
    ['restarting', 503, 'ENGINE_RESTARTING', 500, -1001],
    ['database', 500, 'DB_ERROR', 500, -1000],
    ['bug', 500, 'INTERNAL_ERROR', 500, -1000],
  ])(
    '%s: each surface answers in its own form',
    async (how, status, code, fapiStatus, fapiCode) => {
      const plain = await server.inject({ url: `/api/v1/chain/fails/${how}` });
      expect([plain.statusCode, plain.json()]).toEqual([status, { error: code }]);
      const wrapped = await server.inject({ url: `/api/v1/points/fails/${how}` });
      expect([wrapped.statusCode, wrapped.json()]).toEqual([status, envelope(code)]);
      const exchange = await server.inject({ url: `/fapi/v1/fails/${how}` });
      expect(exchange.statusCode).toBe(fapiStatus);
      expect(exchange.json()).toEqual({ code: fapiCode, msg: expect.any(String) as string });
    },
  );

  test.each(Object.keys(errors))('%s: no internal details reach the body', async (how) => {
    for (const prefix of ['/api/v1/chain', '/api/v1/points', '/fapi/v1']) {
      const reply = await server.inject({ url: `${prefix}/fails/${how}` });
      expect(reply.body).not.toContain('internal words');
    }
  });

  test('spot: an unexpected failure is 500 with an html body without internal details', async () => {
    const reply = await server.inject({ url: '/api/v1/spot/fails/bug' });
    expect(reply.statusCode).toBe(500);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.body).toMatch(/^<!DOCTYPE html>/);
    expect(reply.body).not.toContain('internal words');
  });

  test('an unexpected failure: logged with the request id of its answer', async () => {
    const reply = await server.inject({ url: '/api/v1/points/fails/bug' });
    const id = String(reply.headers['x-request-id']);
    const line = server.log.text
      .split('\n')
      .find((each) => each.includes(id) && each.includes('request failed'));
    expect(line).toContain('internal words');
  });

  test('a cursor that was never issued: 400 INVALID_PARAMETER names it', async () => {
    const reply = await server.inject({ url: '/api/v1/chain/fails/cursor' });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({
      error: 'INVALID_PARAMETER',
      detail: 'cursor: not one that this list gave',
    });
  });
});

describe('malformed input', () => {
  const cases = [
    [{}, 'count: required', -1102, "Mandatory parameter 'count' was not sent"],
    [{ count: '1' }, 'count: must be integer', -1100, "in parameter 'count'"],
    [{ count: 1.5 }, 'count: must be integer', -1100, "in parameter 'count'"],
    [{ count: 6 }, 'count: must be <= 5', -1100, "in parameter 'count'"],
    [{ count: 1, other: 1 }, 'other: unknown field', -1100, "in parameter 'other'"],
    [{ count: 1, side: 'up' }, 'side: must be equal to one of', -1130, "parameter 'side'"],
    [[], 'body: must be object', -1100, "in parameter 'body'"],
    ['"x"', 'body: must be object', -1100, "in parameter 'body'"],
    ['{"count":', 'body: not valid JSON', -1100, "in parameter 'body'"],
    ['', 'body: must be object', -1100, "in parameter 'body'"],
  ] as const;

  test.each(cases)('%j: 400 with the field and why', async (payload, detail, code, message) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    } as const;
    const plain = await server.inject({ ...request, url: '/api/v1/chain/takes' });
    expect(plain.statusCode).toBe(400);
    expect(plain.json()).toEqual({
      error: 'INVALID_PARAMETER',
      detail: expect.stringContaining(detail) as string,
    });
    const wrapped = await server.inject({ ...request, url: '/api/v1/points/takes' });
    expect(wrapped.statusCode).toBe(400);
    expect(wrapped.json()).toEqual(envelope('INVALID_PARAMETER', expect.stringContaining(detail)));
    const exchange = await server.inject({ ...request, url: '/fapi/v1/takes' });
    expect(exchange.statusCode).toBe(400);
    expect(exchange.json()).toEqual({ code, msg: expect.stringContaining(message) as string });
  });

  test.each([
    ['limit=1', 200],
    ['limit=500', 200],
    ['limit=501', 400],
    ['limit=0', 400],
    ['limit=01', 400],
    ['limit=1.0', 400],
    ['limit=1e2', 400],
    ['limit=+1', 400],
    ['limit=%201', 400],
    ['limit=', 400],
    ['limit=١', 400],
    ['limit=99999999999999999999', 400],
    ['limit=1&limit=2', 400],
    ['limits=1', 400],
    ['limit=%zz', 400],
    ['limit[]=1', 400],
  ])('query %s: %i', async (query, status) => {
    const reply = await server.inject({
      method: 'POST',
      url: `/api/v1/chain/takes?${encodeURI(query).replaceAll('%25', '%')}`,
      payload: { count: 1 },
    });
    expect(reply.statusCode).toBe(status);
    if (status === 400) expect(reply.json()).toMatchObject({ error: 'INVALID_PARAMETER' });
  });

  test('a body of another type: 400 INVALID_PARAMETER', async () => {
    const reply = await server.inject({
      method: 'POST',
      url: '/api/v1/chain/takes',
      headers: { 'content-type': 'text/xml' },
      payload: '<count>1</count>',
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { error: 'INVALID_PARAMETER' }]);
  });
});

describe('paths', () => {
  test.each([
    ['/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/referral/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/spot/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/admin/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/faucet/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/chain/nothing', { error: 'NOT_FOUND' }],
    ['/api/v1/%zz', null],
    ['/api/v1/nothing', null],
    ['/api/v1/__proto__', null],
    ['/api/v1/constructor', null],
    ['/fapi/v1/nothing', { code: -1000, msg: 'Path not found.' }],
    ['/fapi', { code: -1000, msg: 'Path not found.' }],
  ])('%s: 404 in the form of its surface', async (url, body) => {
    const reply = await server.inject({ url });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual(body ?? envelope('NOT_FOUND'));
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  test('a known path with another method: 405 and the methods it takes', async () => {
    const plain = await server.inject({ method: 'PUT', url: '/api/v1/spot/orders' });
    expect([plain.statusCode, plain.json()]).toEqual([405, { error: 'METHOD_NOT_ALLOWED' }]);
    expect(plain.headers.allow).toBe('DELETE, GET, POST');
    const wrapped = await server.inject({ url: '/api/v1/auth/nonce' });
    expect([wrapped.statusCode, wrapped.json()]).toEqual([405, envelope('METHOD_NOT_ALLOWED')]);
    const exchange = await server.inject({ method: 'DELETE', url: '/fapi/v1/takes' });
    expect(exchange.statusCode).toBe(405);
    expect(exchange.json()).toEqual({ code: -1000, msg: 'Request method not supported.' });
  });
});

describe('size', () => {
  const padded = (bytes: number): string => `{"count":1}${' '.repeat(bytes - 11)}`;

  test('a body of 64 KiB is read, one byte more is 413 PAYLOAD_TOO_LARGE', async () => {
    const headers = { 'content-type': 'application/json' };
    const post = async (url: string, bytes: number) =>
      server.inject({ method: 'POST', url, headers, payload: padded(bytes) });
    expect((await post('/api/v1/chain/takes', 65_536)).statusCode).toBe(200);
    const plain = await post('/api/v1/chain/takes', 65_537);
    expect([plain.statusCode, plain.json()]).toEqual([413, { error: 'PAYLOAD_TOO_LARGE' }]);
    const wrapped = await post('/api/v1/points/takes', 65_537);
    expect([wrapped.statusCode, wrapped.json()]).toEqual([413, envelope('PAYLOAD_TOO_LARGE')]);
    const exchange = await post('/fapi/v1/takes', 65_537);
    expect(exchange.statusCode).toBe(413);
    expect(exchange.json()).toMatchObject({ code: -1000 });
  });
});

test('every answer: a unique request id, nosniff and no-store', async () => {
  const urls = ['/healthz', '/nothing', '/api/v1/spot/balances', '/api/v1/chain/fails/bug'];
  const ids = new Set<unknown>();
  for (const url of urls) {
    const { headers } = await server.inject({ url });
    ids.add(headers['x-request-id']);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
  }
  expect(ids.size).toBe(urls.length);
});

test('success: bare on plain, in the envelope elsewhere below /api/v1', async () => {
  const post = { method: 'POST', payload: { count: 2 } } as const;
  const plain = await server.inject({ ...post, url: '/api/v1/chain/takes' });
  expect(plain.json()).toEqual({ count: 2, limit: 0 });
  const wrapped = await server.inject({ ...post, url: '/api/v1/points/takes?limit=3' });
  expect(wrapped.json()).toEqual({
    success: true,
    data: { count: 2, limit: 3 },
    error: null,
    timestamp: Math.floor(server.time / 1000),
  });
});
