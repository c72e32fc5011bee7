import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createTestServer,
  type TestServer,
  type TestServerOptions,
  testAdminKey,
  testIssuer,
} from '../support/test-server.ts';

// A token of the administration: opened with the key, valid for an hour, for reading or for all.

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

const market = { method: 'POST', url: '/api/v1/admin/spot/markets', payload: {} } as const;

interface Opened {
  readonly token: string;
  readonly role: string;
  readonly expires_at: string;
}

async function open(role?: 'read' | 'write', from = server): Promise<Opened> {
  const reply = await from.inject({
    method: 'POST',
    url: '/api/v1/admin/session',
    headers: { 'x-api-key': testAdminKey },
    payload: role === undefined ? {} : { role },
  });
  expect(reply.statusCode).toBe(200);
  return reply.json<Opened>();
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The status and code of an attempt to create a market; malformed, so that none is made. */
async function attempt(headers: Record<string, string>, at = server): Promise<string> {
  const reply = await at.inject({ ...market, headers });
  return `${reply.statusCode} ${reply.json<{ error: string }>().error}`;
}

const passed = '400 INVALID_PARAMETER';
const refused = '401 UNAUTHORIZED';

test('admin session: its token opens what the key opens, for an hour', async () => {
  const { token, role, expires_at: end } = await open();
  expect(role).toBe('write');
  expect(Date.parse(end) - server.time).toBeGreaterThan(3_598_000);
  expect(await attempt(bearer(token))).toBe(passed);
  server.time += 3_590_000;
  expect(await attempt(bearer(token))).toBe(passed);
  server.time += 20_000;
  expect(await attempt(bearer(token))).toBe(refused);
});

test('admin session: a reading token changes nothing', async () => {
  const { token, role } = await open('read');
  expect(role).toBe('read');
  expect(await attempt(bearer(token))).toBe('403 PERMISSION_DENIED');
});

test('admin session: only the key opens one, no token of either kind', async () => {
  const { token } = await open();
  const attempts = [{}, bearer(token), await server.bearer(), { 'x-api-key': 'x' }];
  for (const headers of attempts) {
    const url = '/api/v1/admin/session';
    const reply = await server.inject({ method: 'POST', url, headers, payload: {} });
    expect([reply.statusCode, reply.json<unknown>()]).toEqual([401, { error: 'UNAUTHORIZED' }]);
  }
});

test("admin session: a trader's token opens none, and an administrator's token signs no trader in", async () => {
  const { token } = await open();
  expect(await attempt(await server.bearer())).toBe(refused);
  const profile = { url: '/api/v1/account/profile', headers: bearer(token) };
  expect((await server.inject(profile)).statusCode).toBe(401);
});

test('admin session: a token that was changed, cut or made with another key is refused', async () => {
  const { token } = await open('read');
  const [head = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const raised = Buffer.from(JSON.stringify({ ...claims, role: 'write' })).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  const options: TestServerOptions = { adminApiKey: `${testAdminKey}-another` };
  const other = await createTestServer(options);
  const forged = [
    `${head}.${raised}.${signature}`,
    `${unsigned}.${raised}.`,
    token.slice(0, -3),
    `${token}.${signature}`,
    'x'.repeat(5_000),
    testIssuer,
  ];
  for (const each of forged) expect(await attempt(bearer(each))).toBe(refused);
  expect(await attempt(bearer(token), other)).toBe(refused);
  await other.close();
});

test('admin session: failed tokens count as failed attempts at the key', async () => {
  const limited = await createTestServer({ limits: { signInsPerMinute: 3 } });
  for (let count = 0; count < 3; count += 1) {
    expect(await attempt(bearer('x'), limited)).toBe(refused);
  }
  expect(await attempt(bearer('x'), limited)).toBe('429 RATE_LIMITED');
  expect(await attempt(bearer((await open('write', limited)).token), limited)).toBe(passed);
  await limited.close();
});

test('admin session: without ADMIN_API_KEY none can be opened', async () => {
  const bare = await createTestServer({ adminApiKey: null });
  const reply = await bare.inject({ method: 'POST', url: '/api/v1/admin/session', payload: {} });
  expect(reply.statusCode).toBe(503);
  expect(await attempt(bearer((await open()).token), bare)).toBe('503 ADMIN_NOT_CONFIGURED');
  await bare.close();
});
