import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { snapshotPath } from '../../src/journal/snapshot.ts';
import { SnapshotStore } from '../../src/journal/snapshot-store.ts';
import { systemTime } from '../../src/system/system-time.ts';
import { createTestDatabase, type NamedDatabase } from '../support/database-url.ts';
import { findFreePort } from '../support/free-port.ts';
import { addressOf } from '../support/sequencer-address.ts';
import { makeSequencer } from '../support/sequencer-fixture.ts';
import { ServiceProcess } from '../support/service-process.ts';

const adminKey = 'admin key of the recovery tests, long enough';
let dataDir: string;
let services: ServiceProcess[];
/** A separate one on the server that the environment names; null: the embedded server. */
let database: NamedDatabase | null = null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'openbourse-recovery-'));
  services = [];
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) return;
  database = await createTestDatabase({ serverUrl, name: 'openbourse_recovery', from: null });
});

afterEach(async () => {
  await Promise.all(services.map((service) => service.stop('SIGKILL')));
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function settings(): Record<string, string> {
  const own = database === null ? {} : { DATABASE_URL: database.url };
  const usual = { DATA_DIR: dataDir, PORT: '0', TESTNET_ONLY: 'true', ADMIN_API_KEY: adminKey };
  return { ...usual, ...own };
}

async function start(): Promise<ServiceProcess> {
  const service = await ServiceProcess.start(settings());
  services.push(service);
  return service;
}

/** A journal of that many commands without a snapshot, as a crash leaves it. */
async function fillJournal(count: number): Promise<void> {
  const folder = join(dataDir, 'journal');
  await mkdir(folder);
  const limits = { segmentBytesFirst: 1 << 20, segmentBytesMax: 1 << 20, groupBytesMax: 1 << 18 };
  const { sequencer } = makeSequencer(folder, { limits, clock: { now: Date.now } });
  await sequencer.start();
  for (let at = 0; at < count; at += 1_000) {
    const numbers = Array.from({ length: 1_000 }, (_, index) => at + index);
    await Promise.all(
      numbers.map((each) => sequencer.submit({ type: 'openAccount', address: addressOf(each) })),
    );
  }
  await sequencer.stop();
  const logger = pino({ level: 'silent' });
  const store = new SnapshotStore({
    disk: nodeDisk,
    folder,
    machines: engineFactory,
    time: systemTime,
    logger,
  });
  for (const sequence of await store.list()) await rm(snapshotPath(folder, sequence));
}

async function fund(service: ServiceProcess, trader: Trader): Promise<void> {
  const reply = await fetch(`${service.url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: trader.address, token: 'USDT', amount: '100000' }),
  });
  expect(await reply.json()).toEqual({ ok: true });
}

/** Each at its own price: an equal order within a short time is the same order. */
async function placeOrders(trader: Trader, prices: readonly number[]): Promise<readonly string[]> {
  const requests = prices.map((price) =>
    trader.requestJson({
      method: 'POST',
      path: '/api/v1/spot/orders',
      body: {
        symbol: 'BTCUSDT',
        side: 'buy',
        type: 'limit',
        price: String(price),
        quantity: '0.01',
      },
    }),
  );
  return (await Promise.all(requests)).map((order) => (order as { order_id: string }).order_id);
}

async function listHistory(trader: Trader): Promise<readonly string[]> {
  const reply = await trader.requestJson({ method: 'GET', path: '/api/v1/spot/orders' });
  return (reply as { items: { order_id: string }[] }).items.map((item) => item.order_id).sort();
}

// Ten times what the replica keeps in memory for the database.
const commands = 200_000;

test('recovery: many commands without a snapshot, the database caught up, kill -9: the next start is ready and its history whole, three times in a row', async () => {
  await fillJournal(commands);
  const placed: string[] = [];
  let service = await start();
  let connection = new HttpConnection(service.url, 4);
  const trader = await Trader.register(connection, 'recovery');
  await fund(service, trader);
  for (let round = 0; round < 3; round += 1) {
    const price = 1_000 + 10 * round;
    placed.push(...(await placeOrders(trader.over(connection), [price, price + 1, price + 2])));
    // What history shows is in the database, which has caught up with everything.
    expect(await listHistory(trader.over(connection))).toEqual([...placed].sort());
    connection.close();
    await service.stop('SIGKILL');
    service = await start();
    connection = new HttpConnection(service.url, 4);
    expect(await listHistory(trader.over(connection))).toEqual([...placed].sort());
    placed.push(...(await placeOrders(trader.over(connection), [price + 3])));
    expect(await listHistory(trader.over(connection))).toEqual([...placed].sort());
  }
  connection.close();
});

/** A port that was free just now. */
test('start: /readyz answers from the first moment, 503 with what it waits for, until it is 200', async () => {
  await fillJournal(20_000);
  const port = await findFreePort();
  const service = ServiceProcess.spawn({ ...settings(), PORT: String(port) });
  services.push(service);
  const replies: { status: number; body: unknown }[] = [];
  await vi.waitFor(
    async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
      replies.push({ status: reply.status, body: await reply.json() });
      expect(reply.status).toBe(200);
    },
    { timeout: 150_000, interval: 20 },
  );
  const waits = expect.stringMatching(/^waits for the (journal|database|gateway)/) as string;
  const since = expect.any(String) as string;
  expect(replies[0]).toEqual({
    status: 503,
    body: { status: 'not_ready', start: { state: 'starting', since, detail: waits } },
  });
});
