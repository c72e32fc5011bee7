import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer, testAdminKey } from '../support/test-server.ts';

let server: TestServer;
afterEach(() => server.close());

async function headersFor(
  corsOrigins: readonly string[],
  origin: string,
  url = '/api/v1/spot/markets',
): Promise<OutgoingHttpHeaders> {
  server = await createTestServer({ corsOrigins });
  return (await server.inject({ url, headers: { origin } })).headers;
}

async function preflight(
  corsOrigins: readonly string[],
  ask: Readonly<Record<string, string>>,
  url = '/api/v1/spot/orders',
): Promise<OutgoingHttpHeaders> {
  server = await createTestServer({ corsOrigins });
  return (await server.inject({ method: 'OPTIONS', url, headers: ask })).headers;
}

const allowOrigin = 'access-control-allow-origin';
const allowCredentials = 'access-control-allow-credentials';

describe('CORS', () => {
  test('CORS_ORIGINS unset: none', async () => {
    const headers = await headersFor([], 'https://app.example');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('a listed origin: allowed, its own name, varying by Origin', async () => {
    const headers = await headersFor(['https://app.example'], 'https://app.example');
    expect(headers[allowOrigin]).toBe('https://app.example');
    expect(headers['vary']).toContain('Origin');
    expect(headers[allowCredentials]).toBeUndefined();
    expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
  });

  test.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    'https://app.example:444',
    'null',
    'https://APP.example',
  ])('an origin that is not listed, %s: not reflected', async (origin) => {
    const headers = await headersFor(['https://app.example', 'https://two.example'], origin);
    expect(headers[allowOrigin]).not.toBe(origin);
    expect(headers[allowOrigin]).not.toBe('*');
  });

  test('*: open, never with credentials, never for tokens or keys', async () => {
    const headers = await headersFor(['*'], 'https://anything.example');
    expect(headers[allowOrigin]).toBe('*');
    expect(headers[allowCredentials]).toBeUndefined();
    await server.close();
    const asked = await preflight(['*'], {
      origin: 'https://anything.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    });
    expect(asked['access-control-allow-methods']).not.toContain('POST');
    expect(String(asked['access-control-allow-headers']).toLowerCase()).not.toContain('auth');
    expect(String(asked['access-control-allow-headers']).toLowerCase()).not.toContain('mbx');
  });

  test('a listed origin may send tokens and keys', async () => {
    const asked = await preflight(['https://app.example'], {
      origin: 'https://app.example',
      'access-control-request-method': 'DELETE',
    });
    expect(asked[allowOrigin]).toBe('https://app.example');
    expect(asked['access-control-allow-methods']).toContain('DELETE');
    expect(asked['access-control-allow-headers']).toContain('Authorization');
    expect(asked['access-control-allow-headers']).toContain('X-MBX-APIKEY');
  });

  test.each([
    '/api/v1/admin/spot/markets',
    '/api/v1/%61dmin/spot/markets',
    '/%61pi/v1/admin/spot/markets',
  ])('the administration, %s: for no origin', async (url) => {
    const asked = await preflight(
      ['https://app.example', '*'],
      { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      url,
    );
    expect(asked[allowOrigin]).toBeUndefined();
    const origin = 'https://app.example';
    const headers = { origin, 'x-api-key': testAdminKey };
    const reply = await server.inject({ method: 'POST', url, headers, payload: {} });
    expect(reply.json<unknown>()).toMatchObject({ error: 'INVALID_PARAMETER' });
    expect(reply.headers[allowOrigin]).toBeUndefined();
  });
});
