import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;

let server: TestServer;

beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

interface Renewed {
  readonly token: string;
  readonly address: string;
  readonly expires_at: string;
}

async function post(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return server.inject({ method: 'POST', url: `/api/v1/auth/${path}`, headers });
}

async function renew(token: string): Promise<Renewed> {
  const reply = await post('renew', token);
  expect(reply.statusCode).toBe(200);
  return reply.json<{ data: Renewed }>().data;
}

async function statusFor(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await server.inject({ url: '/api/v1/account/api-keys', headers });
  return reply.statusCode;
}

test('logout: the token is refused from then on, and the answer names the account', async () => {
  const { token } = await server.tokens.issue(testAddress(1));
  expect(await statusFor(token)).toBe(200);
  const reply = await post('logout', token);
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({ success: true, data: { address: testAddress(1) } });
  expect(await statusFor(token)).toBe(401);
  expect((await post('logout', token)).statusCode).toBe(401);
  expect((await post('renew', token)).statusCode).toBe(401);
});

test('logout: ends every token of the session, and no other session', async () => {
  const first = await server.tokens.issue(testAddress(1));
  const other = await server.tokens.issue(testAddress(1));
  const renewed = await renew(first.token);
  await post('logout', renewed.token);
  expect(await statusFor(first.token)).toBe(401);
  expect(await statusFor(renewed.token)).toBe(401);
  expect(await statusFor(other.token)).toBe(200);
});

test('logout: stored with its account until the last token of the session would expire', async () => {
  const { token } = await server.tokens.issue(testAddress(1));
  await post('logout', token);
  const signedInAt = Math.floor(server.time / 1000);
  expect([...server.endedSessions.ended.values()]).toEqual([
    {
      id: decodeJwt(token)['sid'],
      address: testAddress(1),
      expiresAt: new Date((signedInAt + 7 * daySeconds) * 1000),
    },
  ]);
});

test('renew: a different token even within the second of the first', async () => {
  const first = await server.tokens.issue(testAddress(1));
  expect((await renew(first.token)).token).not.toBe(first.token);
});

test('renew: a later token for the same session, and the earlier one stays valid', async () => {
  const first = await server.tokens.issue(testAddress(1));
  server.time += 1_800_000;
  const second = await renew(first.token);
  expect(second.address).toBe(testAddress(1));
  expect(Date.parse(second.expires_at)).toBe(first.expiresAt.getTime() + 1_800_000);
  expect(decodeJwt(second.token)['sid']).toBe(decodeJwt(first.token)['sid']);
  expect(decodeJwt(second.token)['auth_time']).toBe(decodeJwt(first.token)['auth_time']);
  expect(await statusFor(first.token)).toBe(200);
  expect(await statusFor(second.token)).toBe(200);
});

test('renew: no token outlives the seventh day of its session', async () => {
  let { token } = await server.tokens.issue(testAddress(1));
  const endsAt = (Math.floor(server.time / 1000) + 7 * daySeconds) * 1000;
  while (server.time < endsAt - hourSeconds * 1000) {
    server.time += hourSeconds * 1000 - 1_000;
    token = (await renew(token)).token;
  }
  expect(Date.parse((await renew(token)).expires_at)).toBe(endsAt);
  server.time = endsAt - 1;
  expect(await statusFor(token)).toBe(200);
  server.time = endsAt;
  expect(await statusFor(token)).toBe(401);
});

test.each(['logout', 'renew'])('%s: an API key has no session: 403', async (path) => {
  const key = await server.addKey();
  const reply = await server.inject(key.postJson(`/api/v1/auth/${path}`, {}));
  expect(reply.statusCode).toBe(403);
});
