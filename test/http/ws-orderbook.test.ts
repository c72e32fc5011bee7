import { afterEach, expect, test } from 'vitest';
import { ManualExchange } from '../support/manual-exchange.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

let running: StreamServer | null = null;

afterEach(async () => {
  await running?.stop();
  running = null;
});

async function start(): Promise<StreamServer> {
  const exchange = new ManualExchange();
  exchange.addMarket('BTCUSDT');
  exchange.addTrader(1);
  exchange.addTrader(2);
  running = await startStreamServer({ exchange });
  return running;
}

const trader = 1 as Parameters<ManualExchange['place']>[0]['accountId'];

test('orderbook: a snapshot comes first, then changed levels with prev_seq and gapless seq', async () => {
  const { exchange, connect } = await start();
  exchange.place({ accountId: trader, side: 'buy', price: 10_000, quantity: 1_500 });
  exchange.place({ accountId: trader, side: 'sell', price: 10_100, quantity: 2_000 });
  const client = await connect();
  client.send({ type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT', id: 7 });
  expect(await client.next()).toEqual({
    type: 'subscribed',
    channel: 'orderbook',
    symbol: 'BTCUSDT',
    market: 'spot',
    id: 7,
  });
  const snapshot = await client.next();
  expect(snapshot).toEqual({
    type: 'snapshot',
    channel: 'orderbook',
    symbol: 'BTCUSDT',
    market: 'spot',
    seq: expect.any(Number) as number,
    last_update_id: 2,
    ts: 1_700_000_000_000,
    data: { bids: [['100', '1.5']], asks: [['101', '2']] },
  });
  exchange.place({ accountId: trader, side: 'buy', price: 9_950, quantity: 1_000 });
  expect(await client.next()).toEqual({
    type: 'update',
    channel: 'orderbook',
    symbol: 'BTCUSDT',
    market: 'spot',
    seq: Number(snapshot['seq']) + 1,
    prev_seq: snapshot['seq'],
    last_update_id: 3,
    ts: 1_700_000_000_000,
    data: { bids: [['99.5', '1']], asks: [] },
  });
});

test('orderbook: a removed level is sent with quantity "0"', async () => {
  const { exchange, connect } = await start();
  const placed = exchange.place({ accountId: trader, side: 'buy', price: 10_000, quantity: 1_000 });
  const client = await connect();
  client.send({ type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT' });
  await client.nextOf('snapshot');
  const event = placed.events.find(({ type }) => type === 'spotOrderUpdated');
  if (event?.type !== 'spotOrderUpdated') throw new Error('the order was not placed');
  exchange.apply({
    type: 'cancelSpotOrder',
    accountId: trader,
    orderNumber: event.order.orderNumber,
  });
  expect(await client.nextOf('update')).toMatchObject({
    data: { bids: [['100', '0']], asks: [] },
  });
});

test('orderbook: the snapshot holds 30 levels of each side, the best ones', async () => {
  const { exchange, connect } = await start();
  for (let level = 0; level < 35; level += 1) {
    exchange.place({ accountId: trader, side: 'buy', price: 10_000 - level, quantity: 1_000 });
    exchange.place({ accountId: trader, side: 'sell', price: 10_100 + level, quantity: 1_000 });
  }
  const client = await connect();
  client.send({ type: 'subscribe', channel: 'orderbook', symbol: 'BTCUSDT' });
  const { data } = await client.nextOf('snapshot');
  const levels = (first: number, step: number) =>
    Array.from({ length: 30 }, (_, index) => [String((first + step * index) / 100), '1']);
  expect(data).toEqual({ bids: levels(10_000, -1), asks: levels(10_100, 1) });
});
