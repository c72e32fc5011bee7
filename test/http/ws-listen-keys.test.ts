import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseError } from '../../src/application/ports/database.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { MemoryListenKeys } from '../support/memory-listen-keys.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

// Streams that sign in with a key of POST /fapi/v1/listenKey: each lookup refreshes the key's TTL.

const lifetimeMs = 3_600_000;

let clock: ManualClock;
let keys: MemoryListenKeys;
let exchange: ManualExchange;
let running: StreamServer;

beforeEach(async () => {
  clock = new ManualClock();
  keys = new MemoryListenKeys({ makeKey: () => 'k'.repeat(64), now: () => clock.now() });
  exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  running = await startStreamServer({
    exchange,
    clock,
    listenKeys: keys,
    // Hours pass in no time here, in which no client could answer a ping.
    limits: { pingIntervalMs: Number.POSITIVE_INFINITY, silenceMaxMs: Number.POSITIVE_INFINITY },
  });
});
afterEach(() => running.stop());

async function signIn(listenKey: string): Promise<StreamClient> {
  const client = await running.connect();
  expect(await client.ask({ type: 'auth', listenKey })).toMatchObject({
    type: 'authenticated',
    address: testAddress(1),
  });
  return client;
}

test('listen key: a long-lived connection keeps it alive', async () => {
  const { listenKey } = await keys.issue(testAddress(1));
  const client = await signIn(listenKey);
  for (let half = 0; half < 4; half += 1) {
    clock.advance(lifetimeMs / 2);
    await client.ask({ type: 'ping' });
  }
  clock.advance(lifetimeMs - 20_000);
  expect(await keys.find(listenKey)).toBe(testAddress(1));
  expect(await client.ask({ type: 'subscribe', channel: 'orders' })).toMatchObject({
    type: 'subscribed',
  });
});

test('listen key: revoked, it ends the private channels of its connection', async () => {
  const accountId = exchange.addTrader(1);
  const client = await signIn((await keys.issue(testAddress(1))).listenKey);
  await client.ask({ type: 'subscribe', channel: 'orders' });
  await client.nextOf('snapshot');
  await keys.revoke(testAddress(1));
  clock.advance(11_000);
  expect(await client.nextOf('error')).toEqual({
    type: 'error',
    code: 'INVALID_LISTEN_KEY',
    message: 'the listen key has ended; private channels have ended',
  });
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
  expect(await client.ask({ type: 'subscribe', channel: 'orders' })).toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

test('listen key: a temporary database outage ends nothing', async () => {
  const { listenKey } = await keys.issue(testAddress(1));
  const client = await signIn(listenKey);
  const find = keys.find.bind(keys);
  keys.find = async () => {
    throw new DatabaseError('away');
  };
  clock.advance(11_000);
  await client.ask({ type: 'ping' });
  keys.find = find;
  clock.advance(11_000);
  expect(await client.ask({ type: 'subscribe', channel: 'orders' })).toMatchObject({
    type: 'subscribed',
  });
});
