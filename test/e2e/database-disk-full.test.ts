import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { Trader } from '../../src/client/trader.ts';
import { listOrders } from '../support/list-orders.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { SmallDisk } from '../support/small-disk.ts';

// The embedded database on its own disk that is full; the journal lies on another one.

const adminKey = 'admin key of the disk tests, long enough';
const ordersPath = '/api/v1/spot/orders';
const diskMegabytes = 256;
const ordersMax = 5_000;
const soon = { timeout: 60_000, interval: 200 };

async function startOnSmallDisk(): Promise<{ disk: SmallDisk; service: ServiceProcess } | null> {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-disk-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const disk = SmallDisk.mount(join(dataDir, 'postgres'), diskMegabytes);
  if (disk === null) return null;
  onTestFinished(() => disk.unmount());
  const settings = { DATA_DIR: dataDir, PORT: '0', TESTNET_ONLY: 'true', ADMIN_API_KEY: adminKey };
  const service = await ServiceProcess.start(settings);
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  return { disk, service };
}

async function fund({ url }: ServiceProcess, { address }: Trader): Promise<void> {
  const reply = await fetch(`${url}/api/v1/admin/spot/balances/credit`, {
    method: 'POST',
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user_address: address, token: 'USDT', amount: '10000000' }),
  });
  expect(await reply.json()).toEqual({ ok: true });
}

test('disk full: trading continues, history returns DB_ERROR, and is complete once there is space', async (context) => {
  const started = await startOnSmallDisk();
  if (started === null) return context.skip();
  const { disk, service } = started;
  const connection = new HttpConnection(service.url, 4);
  onTestFinished(() => connection.close());
  const trader = await Trader.register(connection, 'disk');
  await fund(service, trader);
  const placed: string[] = [];
  const place = async (): Promise<void> => {
    const price = (1_000 + placed.length / 100).toFixed(2);
    const body = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price, quantity: '0.01' };
    const order = await trader.requestJson({ method: 'POST', path: ordersPath, body });
    placed.push((order as { order_id: string }).order_id);
  };
  const history = () => trader.send({ method: 'GET', path: ordersPath });

  await place();
  expect((await history()).status).toBe(200);
  disk.fill();
  let answer = await history();
  while (answer.status === 200 && placed.length < ordersMax) {
    for (let count = 0; count < 50; count += 1) await place();
    answer = await history();
  }
  expect([answer.status, answer.text]).toEqual([500, '{"error":"DB_ERROR"}']);
  // Neither orders nor what the engine answers need the database.
  for (let count = 0; count < 50; count += 1) await place();
  const canceled = placed.pop() ?? '';
  const cancel = await trader.send({ method: 'DELETE', path: `${ordersPath}/${canceled}` });
  expect(cancel.status).toBe(200);
  expect((await history()).status).toBe(500);

  disk.empty();
  await vi.waitFor(async () => expect((await history()).status).toBe(200), soon);
  const listed = await listOrders(trader, ordersPath);
  expect(listed.map((order) => order.order_id).sort()).toEqual([...placed, canceled].sort());
  await vi.waitFor(async () => expect((await fetch(`${service.url}/readyz`)).ok).toBe(true), soon);
  expect(await service.stop()).toBe(0);
});
