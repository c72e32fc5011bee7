import { HttpClient } from '@openbourse/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// The demonstration within the whole service, over a restart.

let service: TestService;
beforeAll(async () => {
  service = await startTestService({}, { isDemo: true });
});
afterAll(() => service.close());

async function expectLiveMarkets(): Promise<void> {
  const client = new HttpClient({ url: service.url });
  for (const symbol of ['BTCUSDT', 'ETHUSDT', 'DFUSDT']) {
    const { bids, asks } = await client.call('GET /api/v1/spot/depth', { query: { symbol } });
    expect([symbol, bids.length > 0, asks.length > 0]).toEqual([symbol, true, true]);
  }
  for (const { symbol } of await client.call('GET /api/v1/markets')) {
    const { bids, asks } = await client.call('GET /api/v1/markets/:symbol/depth', {
      params: { symbol },
    });
    expect([symbol, bids.length > 0, asks.length > 0]).toEqual([symbol, true, true]);
  }
}

/** The traders of the demonstration, once each has its name. */
async function listTraders(): Promise<readonly string[]> {
  const client = new HttpClient({ url: service.url, adminKey: () => testServiceAdminKey });
  const query = { q: 'BTCUSDT_', page_size: 100 };
  let found: readonly string[] = [];
  await vi.waitFor(async () => {
    const { items } = await client.call('GET /api/v1/admin/users', { query });
    found = items.map(({ address, username }) => `${address} ${username ?? ''}`).toSorted();
    expect(found).toHaveLength(8);
  });
  return found;
}

test('demo: its traders quote before the start is ready, and after a restart with the same accounts', async () => {
  await expectLiveMarkets();
  const traders = await listTraders();
  await service.restart({}, async () => undefined);
  const startedAt = Date.now();
  await expectLiveMarkets();
  expect(await listTraders()).toEqual(traders);
  const client = new HttpClient({ url: service.url });
  await vi.waitFor(async () => {
    const query = { symbol: 'BTCUSDT', limit: 1 };
    const { items } = await client.call('GET /api/v1/spot/trades/recent', { query });
    expect(Date.parse(items[0]?.created_at ?? '')).toBeGreaterThan(startedAt);
  });
});
