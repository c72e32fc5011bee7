import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { signIn } from '../../src/client/sign-in.ts';
import { createTestDatabase } from '../support/database-url.ts';
import { HeapProbe, probeSettings } from '../support/heap-probe.ts';
import { ServiceProcess } from '../support/service-process.ts';

// Orders that trade, orders that are canceled, streams and history for some seconds. Whatever has
// ended leaves nothing behind: bytes of heap an order tell, since everything else stays the same.

const adminKey = 'admin key of the memory tests, long enough';
const ordersPath = '/api/v1/spot/orders';
const lanes = 16;
const subscribers = 6;
const warmUpOrders = 5_000;
const measuredOrders = 12_000;
// Two hundred bytes left behind by each order would be more. Code that becomes hot late, candles
// and
// the like have been seen to take a megabyte, which is less.
const heapBytesAnOrderMax = 180;
const residentMegabytesMax = 48;

interface User {
  readonly address: string;
  readonly token: string;
}

class Traffic {
  readonly #service: ServiceProcess;
  readonly #connection: HttpConnection;
  readonly #sockets: WebSocket[] = [];
  users: readonly User[] = [];
  orders = 0;
  messages = 0;

  constructor(service: ServiceProcess) {
    this.#service = service;
    this.#connection = new HttpConnection(service.url, lanes);
  }

  async open(): Promise<void> {
    this.users = await Promise.all(Array.from({ length: 2 * lanes }, () => this.#join()));
    for (const { token } of this.users.slice(0, subscribers)) await this.#subscribe(token);
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
    this.#connection.close();
  }

  /** All lanes together send that many more orders. */
  async run(count: number): Promise<void> {
    const end = this.orders + count;
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        for (let round = 0; this.orders < end; round += 1) await this.#trade(lane, round);
      }),
    );
  }

  // Two orders that meet, and one that is canceled; each tenth round reads the history.
  async #trade(lane: number, round: number): Promise<void> {
    // No account both sells and buys, so none meets its own orders.
    const [seller, user] = [this.#user(2 * lane), this.#user(2 * lane + 1)];
    await this.#place(seller, 'sell', '30000');
    await this.#place(user, 'buy', '30000');
    const { order_id: id } = await this.#place(user, 'buy', '20000');
    await this.#ask(user, 'DELETE', `${ordersPath}/${id}`);
    if (round % 10 !== 0) return;
    await this.#ask(user, 'GET', `${ordersPath}?limit=100`);
    await this.#ask(user, 'GET', '/api/v1/spot/trades?limit=100');
    await this.#ask(user, 'GET', '/api/v1/spot/depth?symbol=BTCUSDT');
  }

  #user(index: number): User {
    const user = this.users[index];
    if (user === undefined) throw new Error('every user joins at the beginning');
    return user;
  }

  #place(user: User, side: 'buy' | 'sell', price: string): Promise<{ order_id: string }> {
    this.orders += 1;
    const body = { symbol: 'BTCUSDT', side, type: 'limit', price, quantity: '0.001' };
    return this.#ask(user, 'POST', ordersPath, body) as Promise<{ order_id: string }>;
  }

  async #ask(
    { token }: User,
    method: 'GET' | 'POST' | 'DELETE',
    target: string,
    body?: object,
  ): Promise<unknown> {
    const reply = await this.#connection.send({
      method,
      target,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // A busy machine may report that history is late, which does no harm here.
    const isLate = method === 'GET' && reply.text === '{"error":"DB_ERROR"}';
    if (reply.status !== 200 && !isLate) throw new Error(`${method} ${target}: ${reply.text}`);
    return JSON.parse(reply.text) as unknown;
  }

  async #join(): Promise<User> {
    const account = privateKeyToAccount(generatePrivateKey());
    const token = await signIn(this.#connection, account);
    const address = account.address.toLowerCase();
    for (const [symbol, amount] of [
      ['USDT', '100000000'],
      ['BTC', '10000'],
    ]) {
      const reply = await this.#connection.send({
        method: 'POST',
        target: '/api/v1/admin/spot/balances/credit',
        headers: { 'x-api-key': adminKey },
        body: JSON.stringify({ user_address: address, token: symbol, amount }),
      });
      expect(reply.text).toBe('{"ok":true}');
    }
    return { address, token };
  }

  async #subscribe(token: string): Promise<void> {
    const socket = new WebSocket(`${this.#service.url.replace('http', 'ws')}/ws`);
    this.#sockets.push(socket);
    socket.on('message', () => {
      this.messages += 1;
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'auth', token }));
    for (const channel of ['orderbook', 'trades', 'orders', 'balances']) {
      const isPublic = channel === 'orderbook' || channel === 'trades';
      const symbol = isPublic ? { symbol: 'BTCUSDT' } : {};
      socket.send(JSON.stringify({ type: 'subscribe', channel, ...symbol }));
    }
  }
}

/** What the database does not hold yet is kept in memory, and is not done with. */
async function untilWritten({ url }: ServiceProcess): Promise<void> {
  const isWritten = async (): Promise<boolean> =>
    /^projector_lag_commands 0$/m.test(await (await fetch(`${url}/metrics`)).text());
  await vi.waitUntil(isWritten, { timeout: 120_000 });
}

async function startService(): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-memory-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const own = { DATA_DIR: dataDir, PORT: '0', TESTNET_ONLY: 'true', ADMIN_API_KEY: adminKey };
  const serverUrl = process.env['DATABASE_URL'];
  if (serverUrl === undefined) return ServiceProcess.start({ ...own, ...probeSettings });
  const database = await createTestDatabase({ serverUrl, name: 'openbourse_memory', from: null });
  onTestFinished(() => database.drop());
  return ServiceProcess.start({ ...own, ...probeSettings, DATABASE_URL: database.url });
}

test('memory: orders, cancels, streams and history leave nothing behind', async () => {
  const service = await startService();
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  const traffic = new Traffic(service);
  onTestFinished(() => traffic.close());
  await traffic.open();
  const probe = await HeapProbe.open(service);
  onTestFinished(() => probe.close());

  await traffic.run(warmUpOrders);
  await untilWritten(service);
  const [heapBefore, residentBefore] = [await probe.heapBytes(), await probe.residentBytes()];
  await traffic.run(measuredOrders);
  await untilWritten(service);
  const [heapAfter, residentAfter] = [await probe.heapBytes(), await probe.residentBytes()];
  const bytesAnOrder = (heapAfter - heapBefore) / measuredOrders;
  const residentMegabytes = (residentAfter - residentBefore) / 1_048_576;
  console.log(
    `${traffic.orders} orders, ${traffic.messages} messages: ${bytesAnOrder.toFixed(1)} bytes of ` +
      `heap an order, ${residentMegabytes.toFixed(1)} MB more in all`,
  );
  // Streams ran along; how many changes one message holds depends on the machine.
  expect(traffic.messages).toBeGreaterThan(measuredOrders / 10);
  expect(bytesAnOrder).toBeLessThan(heapBytesAnOrderMax);
  expect(residentMegabytes).toBeLessThan(residentMegabytesMax);
});
