import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BalanceChange } from '../../src/application/ports/balance-feed.ts';
import { formatAmount, toAmount } from '../../src/domain/amount.ts';
import { formatOrderId } from '../../src/domain/order-id.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  type StreamServerOptions,
  startStreamServer,
} from '../support/stream-server.ts';

let running: StreamServer;
let exchange: ManualExchange;

beforeEach(async () => {
  exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  running = await startStreamServer({ exchange });
});

afterEach(async () => {
  await running.stop();
});

async function restart(options: StreamServerOptions): Promise<void> {
  await running.stop();
  running = await startStreamServer({ exchange, ...options });
}

async function signIn(number: number): Promise<StreamClient> {
  const client = await running.connect();
  const reply = await client.ask({ type: 'auth', token: `token-${number}` });
  expect(reply.type).toBe('authenticated');
  return client;
}

async function openStream(client: StreamClient, channel: string): Promise<unknown> {
  const reply = await client.ask({ type: 'subscribe', channel });
  expect(reply).toMatchObject({ type: 'subscribed', channel });
  return (await client.next(({ type }) => type === 'snapshot'))['data'];
}

function orderNumberOf({ events }: AppliedCommand) {
  for (const event of events) {
    if (event.type === 'spotOrderUpdated') return event.order.orderNumber;
  }
  throw new Error('the command touched no order');
}

/** What the database would report of the command once it has stored it. */
function balanceChangesOf(applied: AppliedCommand): readonly BalanceChange[] {
  const { engine } = exchange;
  return applied.events.flatMap((event) =>
    event.type === 'balanceChanged'
      ? [
          {
            market: 'spot',
            address: engine.getAddress(event.accountId),
            token: engine.getTokenSymbol(event.tokenId),
            available: formatAmount(event.available),
            locked: formatAmount(event.locked),
            sequence: applied.sequence,
          },
        ]
      : [],
  );
}

test('ws: connections per account are limited', async () => {
  await restart({ limits: { connectionsPerAccountMax: 1 } });
  const auth = { type: 'auth', token: 'token-1' };
  const first = await running.connect();
  const second = await running.connect();
  expect((await first.ask(auth)).type).toBe('authenticated');
  expect(await second.ask(auth)).toMatchObject({
    type: 'error',
    code: 'TOO_MANY_CONNECTIONS',
    message: 'at most 1 connections an account',
  });
  first.webSocket.close();
  await expect.poll(async () => (await second.ask(auth)).type).toBe('authenticated');
});

test("ws: auth is answered with the address and the token's expiry", async () => {
  const client = await running.connect();
  client.send({ type: 'auth', token: 'token-1', id: 'a' });
  expect(await client.next()).toEqual({
    type: 'authenticated',
    address: testAddress(1),
    expires_at: running.clock.now() + 3_600_000,
    id: 'a',
  });
});

test('ws: messages after auth wait for it', async () => {
  const client = await running.connect();
  client.send({ type: 'auth', token: 'token-1' });
  client.send({ type: 'subscribe', channel: 'orders' });
  client.send({ type: 'auth', token: 'token-1' });
  client.send({ type: 'ping' });
  const types: string[] = [];
  for (let reply = 0; reply < 5; reply += 1) types.push((await client.next()).type);
  expect(types.filter((type) => type !== 'snapshot')).toEqual([
    'authenticated',
    'subscribed',
    'authenticated',
    'pong',
  ]);
});

test('ws: a connection belongs to one account', async () => {
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  expect(await client.ask({ type: 'auth', token: 'token-2' })).toMatchObject({
    type: 'error',
    code: 'ALREADY_AUTHENTICATED',
  });
});

test('ws: a listen key signs in if the service has listen keys', async () => {
  await restart({
    listenKeys: { find: async (key) => (key === 'k'.repeat(64) ? testAddress(7) : null) },
  });
  const client = await running.connect();
  expect(await client.ask({ type: 'auth', listenKey: 'k' })).toMatchObject({
    code: 'INVALID_LISTEN_KEY',
  });
  expect(await client.ask({ type: 'auth', listenKey: 'k'.repeat(64) })).toMatchObject({
    type: 'authenticated',
    address: testAddress(7),
    expires_at: null,
  });
});

test('ws: an unexpected failure closes with 1011 without details', async () => {
  const logged: object[] = [];
  await restart({
    verifyToken: async () => {
      throw new Error('secret internals');
    },
    log: { warn: () => {}, error: (details) => logged.push(details) },
  });
  const client = await running.connect();
  client.send({ type: 'auth', token: 'x' });
  expect(await client.closed).toEqual({ code: 1011, reason: 'internal error' });
  expect(logged).toHaveLength(1);
});

test('orders: the snapshot holds the resting orders, updates the order and its fills', async () => {
  const [buyer, seller] = [exchange.addTrader(1), exchange.addTrader(2)];
  const resting = exchange.place({
    accountId: buyer,
    side: 'buy',
    price: 10_000,
    quantity: 1_500,
    clientOrderId: 'mine',
  });
  exchange.place({ accountId: seller, side: 'sell', price: 10_200, quantity: 100 });
  const client = await signIn(1);
  const order = {
    order_id: formatOrderId({
      orderNumber: orderNumberOf(resting),
      createdAt: resting.timestamp,
    }),
    client_order_id: 'mine',
    market: 'spot',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    tif: 'gtc',
    price: '100',
    quantity: '1.5',
    quote_quantity: null,
    filled_quantity: '0',
    filled_quote_quantity: '0',
    avg_price: null,
    status: 'new',
    created_at: resting.timestamp,
    updated_at: resting.timestamp,
    fills: [],
  };
  expect(await openStream(client, 'orders')).toEqual([order]);
  exchange.time += 5;
  exchange.place({ accountId: seller, side: 'sell', price: 10_000, quantity: 500 });
  expect(await client.next()).toEqual({
    type: 'update',
    channel: 'orders',
    seq: 2,
    ts: running.clock.now(),
    data: [
      {
        ...order,
        status: 'partially_filled',
        filled_quantity: '0.5',
        filled_quote_quantity: '50',
        avg_price: '100',
        updated_at: resting.timestamp + 5,
        fills: [
          {
            trade_id: '1',
            price: '100',
            quantity: '0.5',
            fee: '0',
            fee_token: 'BTC',
            role: 'maker',
          },
        ],
      },
    ],
  });
});

test('orders: a command that changes many orders is one update', async () => {
  const accountId = exchange.addTrader(1);
  const client = await signIn(1);
  expect(await openStream(client, 'orders')).toEqual([]);
  for (const price of [100, 101, 102]) {
    exchange.place({ accountId, side: 'buy', price, quantity: 1 });
    expect(await client.next()).toMatchObject({ data: [{ status: 'new' }] });
  }
  exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId: null });
  const { data } = await client.next();
  expect(data).toMatchObject([
    { status: 'canceled' },
    { status: 'canceled' },
    { status: 'canceled' },
  ]);
});

test('orders: nothing of another account is sent', async () => {
  const other = exchange.addTrader(2);
  exchange.addTrader(1);
  const client = await signIn(1);
  await openStream(client, 'orders');
  await openStream(client, 'balances');
  const placed = exchange.place({ accountId: other, side: 'buy', price: 100, quantity: 1 });
  running.balanceFeed.notify(balanceChangesOf(placed));
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
});

test('orders: an account that is opened later is followed from its first order', async () => {
  const client = await signIn(3);
  expect(await openStream(client, 'orders')).toEqual([]);
  const accountId = exchange.addTrader(3);
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  expect(await client.next()).toMatchObject({ type: 'update', data: [{ status: 'new' }] });
});

test('orders: only durable events are sent, and none falls between snapshot and update', async () => {
  const accountId = exchange.addTrader(1);
  const client = await signIn(1);
  exchange.isDurableAtOnce = false;
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  client.send({ type: 'subscribe', channel: 'orders' });
  expect((await client.next()).type).toBe('subscribed');
  exchange.place({ accountId, side: 'buy', price: 101, quantity: 1 });
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
  exchange.makeDurable();
  const snapshot = await client.next();
  expect(snapshot).toMatchObject({ type: 'snapshot', seq: 1, data: [{ price: '1' }] });
  expect(await client.next()).toMatchObject({ type: 'update', seq: 2, data: [{ price: '1.01' }] });
  exchange.isDurableAtOnce = true;
});

test('balances: the snapshot is followed by the changes in the database', async () => {
  exchange.addTrader(1);
  const client = await signIn(1);
  expect(await openStream(client, 'balances')).toEqual([
    { market: 'spot', token: 'BTC', available: '1000000', locked: '0' },
    { market: 'spot', token: 'USDT', available: '1000000', locked: '0' },
  ]);
  const credited = exchange.credit(testAddress(1), 'DF', 25n);
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
  running.balanceFeed.notify(balanceChangesOf(credited));
  expect(await client.next()).toEqual({
    type: 'update',
    channel: 'balances',
    seq: 2,
    ts: running.clock.now(),
    data: [{ market: 'spot', token: 'DF', available: '25', locked: '0' }],
  });
});

test('balances: a notification already in the snapshot is left out', async () => {
  const accountId = exchange.addTrader(1);
  const old = exchange.place({ accountId, side: 'buy', price: 100, quantity: 1_000 });
  const client = await signIn(1);
  await openStream(client, 'balances');
  running.balanceFeed.notify(balanceChangesOf(old));
  const fresh = exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId: null });
  running.balanceFeed.notify(balanceChangesOf(fresh));
  expect(await client.next()).toMatchObject({
    seq: 2,
    data: [{ token: 'USDT', available: '1000000', locked: '0' }],
  });
});

test('balances: every connection of the account gets them', async () => {
  exchange.addTrader(1);
  const clients = [await signIn(1), await signIn(1)];
  for (const client of clients) await openStream(client, 'balances');
  running.balanceFeed.notify(balanceChangesOf(exchange.credit(testAddress(1), 'BTC', 1n)));
  for (const client of clients) {
    expect(await client.next()).toMatchObject({ data: [{ available: '1000001' }] });
  }
});

test('private channels: after unsubscribe nothing is sent, and no listener remains', async () => {
  const accountId = exchange.addTrader(1);
  const client = await signIn(1);
  for (const channel of ['orders', 'balances']) {
    await openStream(client, channel);
    await client.ask({ type: 'unsubscribe', channel });
  }
  const placed = exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  running.balanceFeed.notify(balanceChangesOf(placed));
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
  expect(running.balanceFeed.listenerCount).toBe(0);
});

test('private channels: end when the token expires, and public ones continue', async () => {
  const accountId = exchange.addTrader(1);
  const client = await signIn(1);
  await openStream(client, 'orders');
  await client.ask({ type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT' });
  await client.nextOf('snapshot');
  running.clock.advance(30_000);
  for (let minute = 0; minute < 60; minute += 1) {
    await client.ask({ type: 'ping' });
    running.clock.advance(59_500);
  }
  expect(await client.nextOf('error')).toEqual({
    type: 'error',
    code: 'TOKEN_EXPIRED',
    message: 'the token has expired; private channels have ended',
  });
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  expect(await client.next()).toMatchObject({ type: 'update', channel: 'orderbook' });
  expect(await client.ask({ type: 'subscribe', channel: 'orders' })).toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

test('private channels: no event is sent after the token’s last millisecond', async () => {
  const accountId = exchange.addTrader(1);
  await restart({
    verifyToken: async () => ({
      caller: { address: testAddress(1), apiKey: null, session: { id: 'a', signedInAt: 0 } },
      expiresAtMs: running.clock.startedAt + 500,
    }),
  });
  const client = await signIn(1);
  await openStream(client, 'orders');
  running.clock.advance(500);
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  await client.ask({ type: 'ping' });
  expect(client.unreadCount).toBe(0);
});

test('private channels: a token renewed in time keeps them open', async () => {
  let lifetimeMs = 10_000;
  await restart({
    verifyToken: async () => ({
      caller: { address: testAddress(1), apiKey: null, session: { id: 'a', signedInAt: 0 } },
      expiresAtMs: running.clock.startedAt + lifetimeMs,
    }),
  });
  const accountId = exchange.addTrader(1);
  const client = await signIn(1);
  await openStream(client, 'orders');
  lifetimeMs = 30_000;
  await client.ask({ type: 'auth', token: 'renewed' });
  running.clock.advance(15_000);
  exchange.place({ accountId, side: 'buy', price: 100, quantity: 1 });
  expect(await client.next()).toMatchObject({ type: 'update', channel: 'orders' });
});

test('private channels: amounts are decimal texts to the last unit', async () => {
  exchange.addTrader(1);
  const client = await signIn(1);
  await openStream(client, 'balances');
  const applied = exchange.apply({
    type: 'creditBalance',
    address: testAddress(1),
    token: 'DF',
    amount: toAmount(1n),
    actor: 'faucet',
    reason: null,
    reference: null,
  });
  running.balanceFeed.notify(balanceChangesOf(applied));
  expect(await client.next()).toMatchObject({ data: [{ token: 'DF', available: '0.00000001' }] });
});
