import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { createTestDatabase } from '../support/database-url.ts';
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

/** Sends orders, each at a price of its own, until the service is gone. */
class OrderStream {
  readonly acknowledged = new Map<string, string>();
  readonly refusals = new Set<string>();
  sent = 0;
  readonly #trader: Trader;

  constructor(trader: Trader) {
    this.#trader = trader;
  }

  async run(onAcknowledged: (count: number) => void): Promise<void> {
    const lane = async (): Promise<void> => {
      while (await this.#sendOne()) onAcknowledged(this.acknowledged.size);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  async #sendOne(): Promise<boolean> {
    this.sent += 1;
    const price = (1000 + this.sent / 100).toFixed(2);
    const body = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' };
    try {
      const { status, text } = await this.#trader.send({ method: 'POST', path: ordersPath, body });
      if (status !== 200) {
        this.refusals.add(text);
        return false;
      }
      this.acknowledged.set((JSON.parse(text) as { order_id: string }).order_id, price);
      return true;
    } catch {
      // The connection is gone with the process: nobody said yes.
      return false;
    }
  }
}

interface OpenOrder {
  readonly order_id: string;
  readonly price: string;
}

async function listOrders(trader: Trader, path: string): Promise<OpenOrder[]> {
  const orders: OpenOrder[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    const page = (await trader.requestJson({ method: 'GET', path, query })) as {
      items: OpenOrder[];
      next_cursor?: string | null;
    };
    orders.push(...page.items);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return orders;
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
  120_000,
);
