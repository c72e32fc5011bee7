import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

const path = '/api/v1/account/api-keys';

interface Created {
  readonly api_key: string;
  readonly api_secret: string;
}

let server: TestServer;
let headers: { readonly authorization: string };

beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  headers = await server.bearer();
});
afterAll(() => server.close());

async function send(request: InjectOptions): Promise<unknown> {
  const reply = await server.inject({ headers, ...request });
  return [reply.statusCode, reply.json<unknown>()];
}

async function create(body: object = {}): Promise<Created> {
  const reply = await server.inject({ method: 'POST', url: path, headers, payload: body });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ data: Created }>().data;
}

describe('making a key', () => {
  test('answers key and secret of 64 letters and digits, with the defaults', async () => {
    const created = await create();
    expect(created).toEqual({
      api_key: expect.stringMatching(/^[A-Za-z0-9]{64}$/) as string,
      api_secret: expect.stringMatching(/^[A-Za-z0-9]{64}$/) as string,
      label: '',
      ip_whitelist: [],
      permissions: ['read', 'trade'],
      enabled: true,
      created_at: new Date(server.time).toISOString(),
      last_used_at: null,
    });
    expect(created.api_key).not.toBe(created.api_secret);
  });

  test('accepts label, whitelist and permissions', async () => {
    const whitelist = ['203.0.113.7', '10.0.0.0/8', '2001:db8::/48', '::1'];
    const created = await create({ label: 'bot', ip_whitelist: whitelist, permissions: ['read'] });
    expect(created).toMatchObject({
      label: 'bot',
      ip_whitelist: whitelist,
      permissions: ['read'],
    });
  });

  test.each([
    [{ permissions: [] }, 'permissions'],
    [{ permissions: ['transfer'] }, 'permissions.0'],
    [{ permissions: ['withdraw'] }, 'ip_whitelist'],
    [{ permissions: ['read', 'read'] }, 'permissions'],
    [{ permissions: 'read' }, 'permissions'],
    [{ label: 'x'.repeat(65) }, 'label'],
    [{ label: 7 }, 'label'],
    [{ ip_whitelist: ['10.0.0'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: ['::1', '010.0.0.1'] }, 'ip_whitelist.1'],
    [{ ip_whitelist: ['10.0.0.1/33'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: ['0x0a000001'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: ['fe80::1%eth0'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: ['example.com'] }, 'ip_whitelist.0'],
    [{ ip_whitelist: Array.from({ length: 51 }, () => '::1') }, 'ip_whitelist'],
    [{ enabled: false }, 'enabled'],
    [{ api_secret: 'x'.repeat(64) }, 'api_secret'],
  ])('%j: 400 INVALID_PARAMETER names %s', async (body, field) => {
    expect(await send({ method: 'POST', url: path, payload: body })).toMatchObject([
      400,
      {
        error: {
          code: 'INVALID_PARAMETER',
          message: expect.stringMatching(`^${field}: `) as string,
        },
      },
    ]);
  });

  test('more than 100 keys: 409 API_KEY_LIMIT_REACHED', async () => {
    headers = await server.bearer(testAddress(33));
    for (let count = 0; count < 100; count += 1) await create();
    expect(await send({ method: 'POST', url: path, payload: {} })).toMatchObject([
      409,
      {
        error: { code: 'API_KEY_LIMIT_REACHED', message: expect.stringContaining('100') as string },
      },
    ]);
  });
});

describe('reading keys', () => {
  test('the list and the single key show no secret', async () => {
    headers = await server.bearer(testAddress(20));
    const { api_key: apiKey, api_secret: secret } = await create({ label: 'a' });
    const list = await server.inject({ url: path, headers });
    const single = await server.inject({ url: `${path}/${apiKey}`, headers });
    expect(list.json<{ data: unknown[] }>().data).toEqual([single.json<{ data: unknown }>().data]);
    expect(list.body + single.body).not.toContain(secret);
    expect(list.body + single.body).not.toContain('secret');
  });

  test('the last use is of an accepted request, not of a refused one', async () => {
    const key = await server.addKey();
    const lastUse = async (): Promise<unknown> => {
      const reply = await server.inject({ url: `${path}/${key.credential.apiKey}`, headers });
      return reply.json<{ data: { last_used_at: unknown } }>().data.last_used_at;
    };
    const request = key.get('/api/v1/spot/balances');
    const forged = (request.url as string).replace(/signature=../, 'signature=00');
    expect((await server.inject({ ...request, url: forged })).statusCode).toBe(401);
    expect(await lastUse()).toBeNull();
    expect((await server.inject(request)).statusCode).toBe(200);
    expect(await lastUse()).toBe(new Date(server.time).toISOString());
  });

  test("another account's key is not found, by any method", async () => {
    const { api_key: apiKey } = await create();
    headers = await server.bearer(testAddress(21));
    const url = `${path}/${apiKey}`;
    const missing = [404, { error: { code: 'API_KEY_NOT_FOUND' } }];
    expect(await send({ url })).toMatchObject(missing);
    expect(await send({ method: 'PATCH', url, payload: { enabled: false } })).toMatchObject(
      missing,
    );
    expect(await send({ method: 'DELETE', url })).toMatchObject(missing);
    expect((await server.apiKeys.findCredential(apiKey))?.isEnabled).toBe(true);
  });

  test.each(['nothing', '__proto__', 'constructor'])('key %s: 404', async (apiKey) => {
    expect(await send({ url: `${path}/${apiKey}` })).toMatchObject([
      404,
      { error: { code: 'API_KEY_NOT_FOUND' } },
    ]);
  });
});

describe('changing a key', () => {
  test('disabled, it stops signing at once; enabled, it signs again', async () => {
    const key = await server.addKey();
    const url = `${path}/${key.credential.apiKey}`;
    const signed = async (): Promise<number> =>
      (await server.inject(key.get('/api/v1/spot/balances'))).statusCode;
    expect(await signed()).toBe(200);
    const change = await send({ method: 'PATCH', url, payload: { enabled: false } });
    expect(change).toMatchObject([200, { data: { enabled: false } }]);
    expect(await signed()).toBe(401);
    await send({ method: 'PATCH', url, payload: { enabled: true } });
    expect(await signed()).toBe(200);
  });

  test('a new whitelist applies at once', async () => {
    const key = await server.addKey();
    const url = `${path}/${key.credential.apiKey}`;
    await send({ method: 'PATCH', url, payload: { ip_whitelist: ['10.1.1.1'] } });
    const reply = await server.inject(key.get('/api/v1/spot/balances'));
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([403, { error: 'IP_NOT_ALLOWED' }]);
  });

  test('only the given fields change', async () => {
    const { api_key: apiKey } = await create({ label: 'old', ip_whitelist: ['::1'] });
    const change = {
      method: 'PATCH',
      url: `${path}/${apiKey}`,
      payload: { label: 'new' },
    } as const;
    expect(await send(change)).toMatchObject([
      200,
      { data: { label: 'new', ip_whitelist: ['::1'], enabled: true } },
    ]);
  });

  test('one with withdraw keeps an ip_whitelist', async () => {
    const created = await create({
      permissions: ['read', 'withdraw'],
      ip_whitelist: ['203.0.113.7'],
    });
    expect(created).toMatchObject({ permissions: ['read', 'withdraw'] });
    const { api_key: apiKey } = created;
    const open = {
      method: 'PATCH',
      url: `${path}/${apiKey}`,
      payload: { ip_whitelist: [] },
    } as const;
    expect(await send(open)).toMatchObject([
      400,
      { error: { message: 'ip_whitelist: required for a key with withdraw' } },
    ]);
  });

  test('permissions cannot be changed', async () => {
    const { api_key: apiKey } = await create({ permissions: ['read'] });
    const payload = { permissions: ['read', 'trade'] };
    expect(await send({ method: 'PATCH', url: `${path}/${apiKey}`, payload })).toMatchObject([
      400,
      { error: { code: 'INVALID_PARAMETER', message: 'permissions: unknown field' } },
    ]);
  });

  test('once deleted, it is unknown', async () => {
    const key = await server.addKey();
    const url = `${path}/${key.credential.apiKey}`;
    expect(await send({ method: 'DELETE', url })).toMatchObject([
      200,
      { data: { api_key: key.credential.apiKey, enabled: false } },
    ]);
    const reply = await server.inject(key.get('/api/v1/spot/balances'));
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([401, { error: 'INVALID_API_KEY' }]);
    expect(await send({ method: 'DELETE', url })).toMatchObject([404, {}]);
  });
});

test('an API key cannot make, change or delete keys: 403 PERMISSION_DENIED', async () => {
  const key = await server.addKey();
  const reply = await server.inject(key.postJson(path, {}));
  expect([reply.statusCode, reply.json<unknown>()]).toMatchObject([
    403,
    { error: { code: 'PERMISSION_DENIED' } },
  ]);
});

describe('profile', () => {
  const url = '/api/v1/account/profile';

  test('address, username (null at first) and age', async () => {
    headers = await server.bearer(testAddress(40));
    expect(await send({ url })).toMatchObject([
      200,
      {
        data: {
          address: testAddress(40),
          username: null,
          created_at: expect.any(String) as string,
        },
      },
    ]);
  });

  test('a username in use, in any letter case: 409 USERNAME_TAKEN', async () => {
    headers = await server.bearer(testAddress(41));
    expect(await send({ method: 'PUT', url, payload: { username: 'Satoshi_1' } })).toMatchObject([
      200,
      { data: { username: 'Satoshi_1' } },
    ]);
    headers = await server.bearer(testAddress(42));
    expect(await send({ method: 'PUT', url, payload: { username: 'sATOSHI_1' } })).toMatchObject([
      409,
      { error: { code: 'USERNAME_TAKEN' } },
    ]);
  });

  test.each(['ab', 'x'.repeat(25), 'a b c', 'näme', 'abc\n', '', null])(
    'username %j: 400 INVALID_PARAMETER',
    async (username) => {
      expect(await send({ method: 'PUT', url, payload: { username } })).toMatchObject([
        400,
        { error: { code: 'INVALID_PARAMETER' } },
      ]);
    },
  );
});
