import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestServer,
  type TestKey,
  type TestServer,
  testAdminKey,
  testJwtSecret,
} from '../support/test-server.ts';

let server: TestServer;
let key: TestKey;
const sentinels: string[] = [testAdminKey, testJwtSecret];
const bodies: string[] = [];

beforeAll(async () => {
  server = await createTestServer({ logLevel: 'trace' });
  server.exchange.addMarket('BTCUSDT');
  server.exchange.addTrader(1);
  key = await server.addKey();
});
afterAll(() => server.close());

// Every way in which a secret reaches the service, the failing ones included.
async function useSecrets(): Promise<void> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const nonce = await server.inject({
    method: 'POST',
    url: '/api/v1/auth/nonce',
    payload: { address: wallet.address },
  });
  const { message } = nonce.json<{ data: { message: string } }>().data;
  const signature = await wallet.signMessage({ message });
  const login = {
    method: 'POST',
    url: '/api/v1/auth/login',
    payload: { message, signature },
  } as const;
  const { token } = (await server.inject(login)).json<{ data: { token: string } }>().data;
  await server.inject(login);
  const authorization = `Bearer ${token}`;
  const created = await server.inject({
    method: 'POST',
    url: '/api/v1/account/api-keys',
    headers: { authorization },
    payload: {},
  });
  const { api_key, api_secret } = created.json<{ data: Record<string, string> }>().data;
  sentinels.push(signature, token, String(api_secret), String(api_key), key.credential.apiSecret);
  const signed = key.postJson('/api/v1/spot/orders', { symbol: 'BTCUSDT', side: 'up' });
  sentinels.push((signed.url as string).split('signature=')[1] ?? '');
  const requests = [
    signed,
    key.get('/api/v1/spot/balances'),
    key.get('/api/v1/spot/nothing'),
    { ...key.get('/api/v1/spot/balances'), headers: { 'x-mbx-apikey': String(api_key) } },
    { url: '/api/v1/spot/balances', headers: { authorization: `${authorization}x` } },
    { url: `/api/v1/account/profile?token=${token}`, headers: { authorization } },
    { url: `/ws?listenKey=${token}` },
    { method: 'POST', url: '/api/v1/admin/spot/markets', headers: { 'x-api-key': testAdminKey } },
    {
      method: 'POST',
      url: '/api/v1/admin/spot/markets',
      headers: { 'x-api-key': `${testAdminKey}x` },
    },
  ] as const;
  for (const request of requests) bodies.push((await server.inject(request)).body);
}

test('no secret sent to the service is in its log or in an error body', async () => {
  const read = server.exchange.read.bind(server.exchange);
  await useSecrets();
  // An unexpected failure logs its cause; that too must not carry the request's secrets.
  server.exchange.read = async () => {
    throw new Error('unexpected');
  };
  await server.inject(key.get('/api/v1/spot/balances'));
  server.exchange.read = read;
  expect(server.log.text).toContain('request failed');
  expect(server.log.text.split('\n').length).toBeGreaterThan(10);
  expect(sentinels.every((sentinel) => sentinel.length >= 32)).toBe(true);
  for (const sentinel of sentinels) {
    expect(server.log.text).not.toContain(sentinel);
    expect(bodies.join('\n')).not.toContain(sentinel);
  }
});

test('a request line has request id, method, route, status, duration and client', async () => {
  const reply = await server.inject({ url: '/api/v1/spot/markets/BTCUSDT' });
  const id = String(reply.headers['x-request-id']);
  const line = server.log.text.split('\n').find((each) => each.includes(id));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 'info',
    requestId: id,
    method: 'GET',
    route: '/api/v1/spot/markets/:id',
    durationMs: expect.any(Number) as number,
    client: '127.0.0.1',
    msg: 'request',
  });
});

test('requests refused for their rate leave no lines, so that clients cannot fill the log', async () => {
  const limited = await createTestServer({
    logLevel: 'info',
    limits: { requestWeightPerMinute: 1 },
  });
  try {
    limited.time = Math.ceil(limited.time / 60_000) * 60_000;
    const statuses: number[] = [];
    for (let request = 0; request < 5; request += 1) {
      statuses.push((await limited.inject({ url: '/api/v1/spot/markets' })).statusCode);
    }
    expect(statuses).toEqual([200, 429, 429, 429, 429]);
    expect(limited.log.text.match(/"msg":"request"/g)).toHaveLength(1);
    expect((await limited.inject({ url: '/healthz' })).statusCode).toBe(200);
  } finally {
    await limited.close();
  }
});
