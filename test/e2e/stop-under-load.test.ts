import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { createTestDatabase } from '../support/database-url.ts';
import { listOrders } from '../support/list-orders.ts';
import { OrderStream } from '../support/order-stream.ts';
import { ServiceProcess } from '../support/service-process.ts';

const adminKey = 'admin key of the stop tests, long enough';
const ordersPath = '/api/v1/spot/orders';
const lanes = 32;
const ordersBeforeStop = 600;

async function settings(): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-stop-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const serverUrl = process.env['DATABASE_URL'];
  const own = { DATA_DIR: dataDir, PORT: '0', TESTNET_ONLY: 'true', ADMIN_API_KEY: adminKey };
  if (serverUrl === undefined) return own;
  const database = await createTestDatabase({ serverUrl, name: 'openbourse_stop', from: null });
  onTestFinished(() => database.drop());
  return { ...own, DATABASE_URL: database.url };
}

async function fund(service: ServiceProcess, trader: Trader): Promise<void> {
  const reply = await fetch(`${service.url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: trader.address, token: 'USDT', amount: '10000000' }),
  });
  expect(await reply.json()).toEqual({ ok: true });
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'stop: after %s in the middle of orders every acknowledged one is there, none twice',
  async (signal) => {
    const environment = await settings();
    const first = await ServiceProcess.start(environment);
    onTestFinished(() => void first.stop('SIGKILL'));
    const connection = new HttpConnection(first.url, lanes);
    const trader = await Trader.register(connection, 'stop');
    await fund(first, trader);
    const stream = new OrderStream(trader);
    let stoppedAt = 0;
    let exitCode: Promise<number | null> = Promise.resolve(null);
    await stream.run((count) => {
      if (count < ordersBeforeStop || stoppedAt > 0) return;
      stoppedAt = performance.now();
      exitCode = first.stop(signal);
    });
    expect(await exitCode).toBe(signal === 'SIGTERM' ? 0 : null);
    if (signal === 'SIGTERM') expect(performance.now() - stoppedAt).toBeLessThan(10_000);
    connection.close();
    expect([...stream.refusals]).toEqual([]);
    expect(stream.acknowledged.size).toBeGreaterThanOrEqual(ordersBeforeStop);

    const second = await ServiceProcess.start(environment);
    onTestFinished(() => void second.stop('SIGKILL'));
    const again = new HttpConnection(second.url, 4);
    const reader = trader.over(again);
    for (const path of ['/api/v1/spot/orders/open', ordersPath]) {
      const found = await listOrders(reader, path);
      const prices = found.map(({ price }) => Number(price));
      expect(new Set(prices).size).toBe(prices.length);
      const ids = new Set(found.map((order) => order.order_id));
      expect([...stream.acknowledged.keys()].filter((id) => !ids.has(id))).toEqual([]);
      expect(found.length).toBeLessThanOrEqual(stream.sent);
    }
    again.close();
    expect(await second.stop()).toBe(0);
  },
);
