import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AccountId, MarketId } from '../../src/domain/identifiers.ts';
import { RequestLimiter } from '../../src/gateway/http/request-limiter.ts';
import { TickerTopic } from '../../src/gateway/ws/channels/ticker-topic.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';
import { wideLimits } from '../support/test-server.ts';

// A snapshot costs what it holds: one more message for each 40 items, and one read of the account
// serves everyone who subscribes in the same turn of the event loop.

const orders = 1_000;
const burst = 100;

let exchange: ManualExchange;
let running: StreamServer;

beforeEach(() => {
  exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
});

afterEach(async () => {
  await running.stop();
});

function placeOrders(count: number): void {
  const accountId = exchange.addTrader(1);
  for (let at = 0; at < count; at += 1) {
    exchange.place({ accountId, side: 'buy', price: 1 + at, quantity: 1 });
  }
}

async function signIn(): Promise<StreamClient> {
  const client = await running.connect();
  expect(await client.ask({ type: 'auth', token: 'token-1' })).toMatchObject({
    type: 'authenticated',
  });
  return client;
}

/** How often the channel is given until the client is refused. */
async function countSnapshots(client: StreamClient, ask: readonly string[]): Promise<number> {
  for (let count = 0; ; count += 1) {
    for (const type of ask) client.send({ type, channel: 'orders' });
    const reply = await client.next(({ type }) => type === 'snapshot' || type === 'error');
    if (reply.type === 'error') {
      expect(reply).toMatchObject({ code: 'RATE_LIMITED' });
      return count;
    }
    expect(reply['data']).toHaveLength(orders);
  }
}

test.each([
  { repeated: 'subscribing again', ask: ['subscribe'], served: 4 },
  { repeated: 'leaving and subscribing', ask: ['unsubscribe', 'subscribe'], served: 4 },
])('snapshots: $repeated costs what the snapshot holds', async ({ ask, served }) => {
  placeOrders(orders);
  running = await startStreamServer({ exchange, limits: { messagesBurst: burst } });
  const client = await signIn();
  expect(await countSnapshots(client, ask)).toBe(served);
  // The last snapshot left a debt, which a second of ten messages pays.
  running.clock.advance(1_000);
  expect(await client.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
});

test('snapshots: they count for the address, so a new connection makes none cheaper', async () => {
  placeOrders(orders);
  // Room for a hundred messages.
  const limits = { ...wideLimits, requestWeightPerMinute: burst / 10 };
  const limiter = new RequestLimiter(limits, () => 0);
  running = await startStreamServer({ exchange, limiter });
  const first = await signIn();
  const second = await signIn();
  for (const client of [first, second, first]) {
    client.send({ type: 'subscribe', channel: 'orders' });
    await client.nextOf('snapshot');
  }
  second.send({ type: 'subscribe', channel: 'orders' });
  await second.nextOf('snapshot');
  first.send({ type: 'subscribe', channel: 'orders' });
  expect(await first.nextOf('error')).toEqual({
    type: 'error',
    code: 'RATE_LIMITED',
    message: 'too many messages from this address',
  });
});

test('snapshots: fewer than 40 items cost nothing but the message', async () => {
  placeOrders(39);
  running = await startStreamServer({ exchange, limits: { messagesBurst: 10 } });
  const client = await signIn();
  for (let count = 0; count < 9; count += 1) {
    client.send({ type: 'subscribe', channel: 'orders' });
    expect((await client.nextOf('snapshot'))['data']).toHaveLength(39);
  }
  client.send({ type: 'ping' });
  expect(await client.nextOf('error')).toMatchObject({ code: 'RATE_LIMITED' });
});

test('snapshots: all who subscribe in one turn share one read of the account', async () => {
  placeOrders(3);
  running = await startStreamServer({ exchange });
  const clients = [await signIn(), await signIn(), await signIn()];
  const reads = vi.spyOn(exchange.engine, 'listOpenOrders');
  running.clock.holdTurns();
  for (const client of clients) {
    expect((await client.ask({ type: 'subscribe', channel: 'orders' })).type).toBe('subscribed');
  }
  expect(reads).toHaveBeenCalledTimes(1);
  running.clock.endTurn();
  for (const client of clients) {
    const { seq, data } = await client.nextOf('snapshot');
    expect({ seq, data }).toMatchObject({ seq: 1, data: [{}, {}, {}] });
  }
  await clients[0]?.ask({ type: 'subscribe', channel: 'orders' });
  expect(reads).toHaveBeenCalledTimes(2);
});

test('snapshots: a snapshot that a command has overtaken is not shared', async () => {
  placeOrders(1);
  running = await startStreamServer({ exchange });
  const [first, second] = [await signIn(), await signIn()];
  running.clock.holdTurns();
  await first.ask({ type: 'subscribe', channel: 'orders' });
  const accountId = exchange.engine.findAccount(testAddress(1));
  if (accountId === null) throw new Error('the trader has an account');
  exchange.place({ accountId, side: 'buy', price: 7, quantity: 2 });
  await second.ask({ type: 'subscribe', channel: 'orders' });
  running.clock.endTurn();
  expect((await first.nextOf('snapshot'))['data']).toHaveLength(1);
  expect((await first.nextOf('update'))['data']).toHaveLength(1);
  expect((await second.nextOf('snapshot'))['data']).toHaveLength(2);
});

/** Markets with a trade each, from the second one on. */
function tradeInMarkets(count: number): void {
  const tokens = Array.from({ length: count }, (_, at) => `T${at}`);
  const buyer = exchange.addTrader(1, ['USDT']);
  const seller = exchange.addTrader(2, tokens);
  for (const token of tokens) {
    const marketId = exchange.addMarket(`${token}USDT`);
    trade(marketId, [buyer, seller], 100);
  }
}

function trade(
  marketId: MarketId,
  [buyer, seller]: readonly [AccountId, AccountId],
  price: number,
): void {
  exchange.place({ accountId: seller, marketId, side: 'sell', price, quantity: 1 });
  exchange.place({ accountId: buyer, marketId, side: 'buy', price, quantity: 1 });
}

test.each(['tickers', 'markets'])(
  'snapshots: %s of many markets count by these',
  async (channel) => {
    running = await startStreamServer({ exchange, limits: { messagesBurst: 10 } });
    tradeInMarkets(85);
    const client = await running.connect();
    for (let count = 0; count < 3; count += 1) {
      client.send({ type: 'subscribe', channel });
      expect((await client.nextOf('snapshot'))['data']).toHaveLength(
        channel === 'tickers' ? 85 : 86,
      );
    }
    client.send({ type: 'subscribe', channel });
    await client.nextOf('snapshot');
    client.send({ type: 'ping' });
    expect(await client.nextOf('error')).toMatchObject({ code: 'RATE_LIMITED' });
  },
);

test('snapshots: a client that comes and goes has the tickers read once a second', async () => {
  running = await startStreamServer({ exchange });
  tradeInMarkets(3);
  const client = await running.connect();
  const reads = vi.spyOn(TickerTopic.prototype, 'read');
  const comeAndGo = async (): Promise<void> => {
    await client.ask({ type: 'subscribe', channel: 'tickers' });
    await client.ask({ type: 'unsubscribe', channel: 'tickers' });
  };
  await comeAndGo();
  const readOnce = reads.mock.calls.length;
  for (let count = 0; count < 20; count += 1) await comeAndGo();
  expect(reads.mock.calls.length).toBe(readOnce);
  running.clock.advance(1_000);
  await comeAndGo();
  expect(reads.mock.calls.length).toBeGreaterThan(readOnce);
});

test('snapshots: what an older snapshot of the tickers lacks follows as an update', async () => {
  running = await startStreamServer({ exchange });
  tradeInMarkets(2);
  const [first, second] = [await running.connect(), await running.connect()];
  await first.ask({ type: 'subscribe', channel: 'tickers' });
  expect((await first.nextOf('snapshot'))['data']).toHaveLength(2);
  await first.ask({ type: 'unsubscribe', channel: 'tickers' });
  const market = exchange.engine.findSpotMarket('T1USDT');
  const traders = [1, 2].map((number) => exchange.engine.findAccount(testAddress(number)));
  if (market === null) throw new Error('the market was added');
  trade(market.marketId, traders as [AccountId, AccountId], 300);
  await second.ask({ type: 'subscribe', channel: 'tickers' });
  const snapshot = await second.nextOf('snapshot');
  expect(snapshot['data']).toMatchObject([{ last_price: '1' }, { last_price: '1' }]);
  running.clock.advance(1_000);
  const update = await second.nextOf('update');
  expect(update['data']).toMatchObject([{ symbol: 'T1USDT', last_price: '3' }]);
});
