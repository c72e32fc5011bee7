import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { zeroAmount } from '../../src/domain/amount.ts';
import type {
  AccountId,
  MarketId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import { defaultStreamLimits } from '../../src/gateway/ws/stream-limits.ts';
import { ManualExchange } from '../support/manual-exchange.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

const fastCount = 10;
const slowCount = 3;
const tradesPerRound = 100;
// What the kernel holds for a client that does not read is many times the server's own limit.
const roundsMax = 5_000;

let running: StreamServer;
let tradeNumber: number;

beforeEach(async () => {
  tradeNumber = 0;
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  running = await startStreamServer({ exchange });
});

afterEach(async () => {
  await running.stop();
});

function nextTrade(): EngineEvent {
  tradeNumber += 1;
  return {
    type: 'spotTradeExecuted',
    trade: {
      tradeNumber: tradeNumber as TradeNumber,
      tradeId: tradeNumber as TradeId,
      marketId: 0 as MarketId,
      price: 6_000_000 as Ticks,
      quantity: 1_234 as Lots,
      quoteAmount: zeroAmount,
      takerSide: 'buy',
      makerOrderNumber: 1 as OrderNumber,
      takerOrderNumber: 2 as OrderNumber,
      makerOrderCreatedAt: 0 as TimestampMs,
      takerOrderCreatedAt: 0 as TimestampMs,
      makerAccountId: 1 as AccountId,
      takerAccountId: 2 as AccountId,
      makerFee: zeroAmount,
      takerFee: zeroAmount,
    },
  };
}

async function metric(name: string): Promise<number> {
  const found = await running.metrics.getSingleMetric(name)?.get();
  return found?.values[0]?.value ?? 0;
}

/** Sends one message to every listener; resolves once all that read have received it. */
async function playRound(readers: readonly WebSocket[]): Promise<void> {
  const arrivals = readers.map((webSocket) => once(webSocket, 'message'));
  running.exchange.publish(Array.from({ length: tradesPerRound }, nextTrade));
  await Promise.all(arrivals);
}

async function playUntil(readers: readonly WebSocket[], isDone: () => Promise<boolean>) {
  for (let round = 0; round < roundsMax; round += 1) {
    if (await isDone()) return;
    await playRound(readers);
  }
  throw new Error(`nothing came of ${roundsMax} rounds`);
}

async function subscribe(): Promise<StreamClient> {
  const client = await running.connect();
  await client.ask({ type: 'subscribe', channel: 'trades', symbol: 'BTCUSDT' });
  await client.nextOf('snapshot');
  return client;
}

async function connectAll(count: number): Promise<readonly StreamClient[]> {
  const clients: StreamClient[] = [];
  for (let number = 0; number < count; number += 1) clients.push(await subscribe());
  return clients;
}

/** The last trade number of each message received, in order; resync as 0. */
async function readSeqs(client: StreamClient, until: string): Promise<readonly number[]> {
  const seqs: number[] = [];
  for (;;) {
    const message = await client.next();
    if (message.type === until) return seqs;
    seqs.push(Number(message['seq']));
  }
}

test('slow consumer: is sent resync and starts over, costs bounded memory, slows no other client', async () => {
  const slow = await connectAll(slowCount);
  const fast = await connectAll(fastCount);
  const readers = fast.map(({ webSocket }) => webSocket);
  for (const { webSocket } of slow) webSocket.pause();
  await playUntil(readers, async () => (await metric('ws_clients_behind_total')) === slowCount);
  const backlogBytes = await metric('ws_backlog_bytes');
  const rssBefore = process.memoryUsage().rss;
  for (let round = 0; round < 300; round += 1) await playRound(readers);
  expect(await metric('ws_backlog_bytes')).toBe(backlogBytes);
  expect(backlogBytes).toBeLessThan(slowCount * 512 * 1024);
  // A queue of one more message a round for each slow client would show as more than this.
  expect(process.memoryUsage().rss - rssBefore).toBeLessThan(200 * 1024 * 1024);
  for (const client of fast) {
    expect(client.unreadCount).toBe(tradeNumber / tradesPerRound);
    const first = Number((await client.next())['seq']);
    for (let seq = first + 1; client.unreadCount > 0; seq += 1) {
      expect(await client.next()).toMatchObject({ type: 'update', seq });
    }
  }
  for (const client of slow) {
    client.webSocket.resume();
    const before = await readSeqs(client, 'resync');
    expect(before).toEqual(before.map((_, index) => Number(before[0]) + index));
    const snapshot = await client.next();
    expect(snapshot).toMatchObject({ type: 'snapshot', channel: 'trades', symbol: 'BTCUSDT' });
    const { trade_id: newest } = (snapshot['data'] as { trade_id: string }[]).at(-1) ?? {};
    expect(newest).toBe(String(tradeNumber));
    await playRound(readers);
    expect(await client.next()).toMatchObject({
      type: 'update',
      seq: Number(snapshot['seq']) + 1,
    });
  }
});

test('slow consumer: a client that stays slow for 10 s is closed with 1013', async () => {
  const [slow] = await connectAll(1);
  const fast = await connectAll(1);
  if (slow === undefined) throw new Error('nobody connected');
  const readers = fast.map(({ webSocket }) => webSocket);
  slow.webSocket.pause();
  await playUntil(readers, async () => (await metric('ws_clients_behind_total')) === 1);
  running.clock.advance(10_000);
  slow.webSocket.resume();
  expect(await slow.closed).toEqual({
    code: 1013,
    reason: 'too slow: read faster or subscribe to less',
  });
  await playRound(readers);
});

test('slow consumer: private events are never dropped: the connection closes with 1013', async () => {
  const { exchange } = running;
  const accountId = exchange.addTrader(1);
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  await client.ask({ type: 'subscribe', channel: 'orders' });
  await client.nextOf('snapshot');
  client.webSocket.pause();
  const clientOrderId = 'x'.repeat(36);
  const { backlogCloseBytes } = defaultStreamLimits;
  for (let round = 0, isFull = false; !isFull; round += 1) {
    if (round > roundsMax) throw new Error('nothing piles up');
    // Seen before the last round, which then is the one that passes the limit.
    isFull = (await metric('ws_backlog_bytes')) > backlogCloseBytes;
    for (let price = 1; price <= 20; price += 1) {
      exchange.place({ accountId, side: 'buy', price, quantity: 1, clientOrderId });
      exchange.apply({ type: 'cancelAllSpotOrders', accountId, marketId: null });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  client.webSocket.resume();
  expect((await client.closed).code).toBe(1013);
  const messages: unknown[] = [];
  while (client.unreadCount > 0) messages.push((await client.next())['seq']);
  expect(messages.length).toBeGreaterThan(1_000);
  // Whatever came, came without a gap.
  expect(messages).toEqual(messages.map((_, index) => index + 2));
});

test('slow consumer: a client that reads nothing for 10 s is closed, however little is queued for it', async () => {
  const [slow] = await connectAll(1);
  const readers = (await connectAll(1)).map(({ webSocket }) => webSocket);
  if (slow === undefined) throw new Error('nobody connected');
  slow.webSocket.pause();
  await playUntil(readers, async () => (await metric('ws_backlog_bytes')) > 0);
  expect(await metric('ws_backlog_bytes')).toBeLessThan(defaultStreamLimits.backlogResyncBytes);
  for (let second = 0; second <= 11; second += 1) {
    slow.webSocket.pong();
    running.clock.advance(1_000);
  }
  slow.webSocket.resume();
  expect((await slow.closed).code).toBe(1013);
});
