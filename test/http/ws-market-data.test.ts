import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ManualExchange } from '../support/manual-exchange.ts';
import { MemoryHistory } from '../support/memory-history.ts';
import {
  type StreamClient,
  type StreamServer,
  startStreamServer,
} from '../support/stream-server.ts';

const minuteMs = 60_000;
const midnight = Date.parse('2026-11-21T00:00:00Z');

let exchange: ManualExchange;
let clock: ManualClock;
let history: MemoryHistory;
let running: StreamServer | null;
let traders: readonly [AccountId, AccountId];

beforeEach(() => {
  clock = new ManualClock(midnight);
  exchange = new ManualExchange();
  exchange.time = midnight;
  history = new MemoryHistory(exchange);
  exchange.addMarket('BTCUSDT');
  traders = [exchange.addTrader(1), exchange.addTrader(2)];
  running = null;
});

afterEach(async () => {
  await running?.stop();
});

async function connect(): Promise<StreamClient> {
  const log = { warn: () => {}, error: () => {} };
  running ??= await startStreamServer({
    exchange,
    clock,
    log,
    // Hours pass in no time here, in which no client could answer a ping.
    limits: { pingIntervalMs: Number.POSITIVE_INFINITY, silenceMaxMs: Number.POSITIVE_INFINITY },
    history: { history: history.history, barrier: history },
  });
  return running.connect();
}

/** A trade of that many lots at that many ticks; the buyer takes. */
function trade(price: number, quantity: number): void {
  exchange.place({ accountId: traders[1], side: 'sell', price, quantity });
  exchange.place({ accountId: traders[0], side: 'buy', price, quantity });
}

function pass(durationMs: number): void {
  clock.advance(durationMs);
  exchange.time = clock.now();
}

const symbol = 'BTCUSDT';

test('trades: the snapshot holds the newest trades oldest first, updates each new one', async () => {
  trade(10_000, 1_500);
  const client = await connect();
  trade(10_100, 1_000);
  await client.ask({ type: 'subscribe', channel: 'trades', symbol });
  const view = {
    trade_id: '1',
    price: '100',
    quantity: '1.5',
    quote_quantity: '150',
    side: 'buy',
    created_at: midnight,
  };
  const second = { ...view, trade_id: '2', price: '101', quantity: '1', quote_quantity: '101' };
  const snapshot = await client.next();
  expect(snapshot).toMatchObject({
    type: 'snapshot',
    channel: 'trades',
    symbol,
    market: 'spot',
    data: [view, second],
  });
  trade(10_000, 1_500);
  expect(await client.next()).toEqual({
    type: 'update',
    channel: 'trades',
    symbol,
    market: 'spot',
    seq: Number(snapshot['seq']) + 1,
    ts: clock.now(),
    data: [{ ...view, trade_id: '3' }],
  });
});

test('trades: the snapshot is 50 trades long, from history and live, each once', async () => {
  for (let count = 0; count < 60; count += 1) trade(10_000, 1);
  const client = await connect();
  for (let count = 0; count < 5; count += 1) trade(10_000, 1);
  await client.ask({ type: 'subscribe', channel: 'trades', symbol });
  const { data } = await client.nextOf('snapshot');
  expect((data as { trade_id: string }[]).map(({ trade_id }) => Number(trade_id))).toEqual(
    Array.from({ length: 50 }, (_, index) => 16 + index),
  );
});

test('trades: earlier trades appear once the database answers', async () => {
  trade(10_000, 1);
  history.isReachable = false;
  const client = await connect();
  const message = { type: 'subscribe', channel: 'trades', symbol };
  await client.ask(message);
  expect(await client.nextOf('snapshot')).toMatchObject({ data: [] });
  history.isReachable = true;
  pass(1_000);
  await client.ask(message);
  expect(await client.nextOf('snapshot')).toMatchObject({ data: [{ trade_id: '1' }] });
});

test('trades: many trades of one turn are sent in messages of at most 100, without a gap', async () => {
  const client = await connect();
  await client.ask({ type: 'subscribe', channel: 'trades', symbol });
  let { seq } = await client.nextOf('snapshot');
  for (let count = 0; count < 250; count += 1) trade(10_000, 1);
  let expected = 1;
  for (const length of [100, 100, 50]) {
    const update = await client.next();
    expect(update['seq']).toBe(Number(seq) + 1);
    seq = update['seq'];
    const numbers = (update['data'] as { trade_id: string }[]).map((each) => Number(each.trade_id));
    expect(numbers).toEqual(Array.from({ length }, (_, index) => expected + index));
    expected += length;
  }
});

test('ticker: null before the first trade, then 24 hours and the best prices', async () => {
  const client = await connect();
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  expect(await client.next()).toMatchObject({ type: 'snapshot', channel: 'ticker', data: null });
  exchange.place({ accountId: traders[0], side: 'buy', price: 9_900, quantity: 1 });
  trade(10_000, 1_500);
  expect(await client.next()).toEqual({
    type: 'update',
    channel: 'ticker',
    symbol,
    market: 'spot',
    seq: 1,
    ts: midnight,
    data: {
      symbol,
      last_price: '100',
      open_price: '100',
      high_price: '100',
      low_price: '100',
      price_change: '0',
      price_change_percent: '0',
      volume: '1.5',
      quote_volume: '150',
      trade_count: 1,
      open_time: midnight - 1_440 * minuteMs,
      close_time: midnight,
      best_bid: '99',
      best_ask: null,
    },
  });
});

test('ticker: at most one update a second, with the last state', async () => {
  trade(10_000, 1);
  const client = await connect();
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  await client.nextOf('snapshot');
  trade(10_100, 1);
  expect(await client.next()).toMatchObject({ data: { last_price: '101', trade_count: 2 } });
  for (const price of [10_200, 10_300, 10_400]) {
    trade(price, 1);
    pass(300);
    await client.ask({ type: 'ping' });
    expect(client.unreadCount).toBe(0);
  }
  pass(100);
  expect(await client.next()).toMatchObject({ data: { last_price: '104', trade_count: 5 } });
});

test('ticker: counts the trades before the streams began', async () => {
  trade(9_000, 1_000);
  pass(1_000 * minuteMs);
  trade(10_000, 1_000);
  const client = await connect();
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  expect(await client.nextOf('snapshot')).toMatchObject({
    data: { open_price: '90', last_price: '100', price_change_percent: '11.111', trade_count: 2 },
  });
});

test('ticker: old trades leave it even while nothing happens', async () => {
  trade(9_000, 1_000);
  pass(1_000 * minuteMs);
  trade(10_000, 1_000);
  const client = await connect();
  await client.ask({ type: 'subscribe', channel: 'ticker', symbol });
  await client.nextOf('snapshot');
  pass(441 * minuteMs);
  expect(await client.nextOf('update')).toMatchObject({
    data: { open_price: '100', trade_count: 1 },
  });
});

test('kline: the newest candle, then each change, and a finished candle before the next', async () => {
  trade(10_000, 1_000);
  const client = await connect();
  client.send({ type: 'subscribe', channel: 'kline', symbol, interval: '1m', id: 1 });
  const target = { channel: 'kline', symbol, market: 'spot', interval: '1m' };
  expect(await client.next()).toEqual({ type: 'subscribed', ...target, id: 1 });
  const candle = {
    open_time: midnight,
    close_time: midnight + minuteMs - 1,
    open: '100',
    high: '100',
    low: '100',
    close: '100',
    volume: '1',
    quote_volume: '100',
    trade_count: 1,
  };
  expect(await client.next()).toEqual({
    type: 'snapshot',
    ...target,
    seq: 0,
    ts: midnight,
    data: candle,
  });
  trade(10_500, 1_000);
  const grown = {
    ...candle,
    high: '105',
    close: '105',
    volume: '2',
    quote_volume: '205',
    trade_count: 2,
  };
  expect(await client.next()).toMatchObject({ type: 'update', seq: 1, data: grown });
  exchange.time += minuteMs - 1;
  trade(9_500, 1_000);
  exchange.time += 1;
  trade(9_600, 1_000);
  clock.advance(250);
  expect(await client.next()).toMatchObject({
    seq: 2,
    data: { open_time: midnight, low: '95', close: '95', trade_count: 3 },
  });
  expect(await client.next()).toMatchObject({
    seq: 3,
    data: { open_time: midnight + minuteMs, open: '96', trade_count: 1 },
  });
});

test('kline: every interval is served', async () => {
  trade(10_000, 1);
  const client = await connect();
  const intervals = '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');
  for (const interval of intervals) {
    await client.ask({ type: 'subscribe', channel: 'kline', symbol, interval });
    expect(await client.nextOf('snapshot')).toMatchObject({ interval, data: { trade_count: 1 } });
  }
});

test('kline: trades that happen while history is read count once', async () => {
  trade(10_000, 1);
  const client = await connect();
  history.afterCandles = () => {
    history.afterCandles = () => {};
    // One arrives in history between its two reads, one does not.
    trade(10_100, 1);
    history.isLagging = true;
    trade(10_200, 1);
  };
  await client.ask({ type: 'subscribe', channel: 'kline', symbol, interval: '1m' });
  expect(await client.nextOf('snapshot')).toMatchObject({ data: { trade_count: 3, close: '102' } });
  expect(history.readings).toBe(2);
});

test('kline: without a database there is no candle, and a later attempt finds it', async () => {
  trade(10_000, 1);
  const client = await connect();
  history.isReachable = false;
  const message = { type: 'subscribe', channel: 'kline', symbol, interval: '1m' };
  client.send({ ...message, id: 1 });
  expect(await client.nextOf('error')).toEqual({
    type: 'error',
    code: 'DB_ERROR',
    message: 'history is unavailable; retry soon',
    channel: 'kline',
    symbol,
    market: 'spot',
    interval: '1m',
    id: 1,
  });
  history.isReachable = true;
  trade(10_100, 1);
  client.send(message);
  expect(await client.nextOf('snapshot')).toMatchObject({ data: { trade_count: 2 } });
});

test('market data: a market created later is streamed at once', async () => {
  const client = await connect();
  exchange.addMarket('ETHUSDT');
  for (const channel of ['orderbook', 'trades', 'ticker']) {
    await client.ask({ type: 'subscribe', channel, symbol: 'ETHUSDT' });
    expect(await client.nextOf('snapshot')).toMatchObject({ channel, symbol: 'ETHUSDT' });
  }
});
