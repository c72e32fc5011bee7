import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import { createTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ corsOrigins: ['https://other.example'] });
  server.exchange.addMarket('BTCUSDT');
  const accountId = server.exchange.addTrader(1);
  server.exchange.place({ accountId, side: 'buy', price: 100, quantity: 2 });
});
afterAll(() => server.close());

async function get(path: string, accept: string) {
  const { authorization } = await server.bearer(testAddress(1));
  const reply = await server.inject({ url: `/api/v1${path}`, headers: { authorization, accept } });
  expect(reply.statusCode).toBe(200);
  return reply;
}

const jsonTypes = ['application/json', '*/*', '', 'application/json, text/csv', 'image/png'];

test.each(jsonTypes)('csv: Accept %j is answered as JSON', async (accept) => {
  const reply = await get('/spot/orders/open', accept);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(reply.json<{ items: unknown[] }>().items).toHaveLength(1);
});

test.each(['text/csv', 'text/csv, application/json;q=0.5'])(
  'csv: Accept %j is answered with the rows of the list',
  async (accept) => {
    const reply = await get('/spot/orders/open', accept);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [head = '', row = '', ...rest] = reply.body.split('\r\n');
    expect(rest).toEqual(['']);
    const json = (await get('/spot/orders/open', '*/*')).json<{ items: object[] }>();
    const [order = {}] = json.items;
    expect(head.split(',')).toEqual(Object.keys(order));
    expect(row.split(',')).toEqual(Object.values(order).map((value) => String(value ?? '')));
  },
);

test('csv: Vary names Accept as well as the origin', async () => {
  const reply = await get('/spot/orders/open', 'text/csv');
  expect(String(reply.headers['vary']).toLowerCase().split(', ')).toEqual(
    expect.arrayContaining(['origin', 'accept']),
  );
});

test('csv: answers that are not lists stay JSON, as do errors', async () => {
  const profile = await get('/account/profile', 'text/csv');
  expect(profile.headers['content-type']).toMatch(/^application\/json/);
  const bad = await server.inject({
    url: '/api/v1/spot/trades/recent?symbol=NOPE',
    headers: { accept: 'text/csv' },
  });
  expect([bad.statusCode, bad.json()]).toEqual([404, { error: 'MARKET_NOT_FOUND' }]);
});
