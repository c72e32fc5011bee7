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

const grouped = { channel: 'orderbook', symbol: 'BTCUSDT', group: '1' };

test('orderbook: with a group, prices are multiples of it, bids below and asks above their own', async () => {
  const { exchange, connect } = await start();
  const place = (side: 'buy' | 'sell', price: number, quantity: number) =>
    exchange.place({ accountId: trader, side, price, quantity });
  place('buy', 10_000, 1_000);
  place('buy', 10_099, 500);
  place('buy', 10_042, 250);
  place('sell', 10_101, 2_000);
  place('sell', 10_200, 1_000);
  place('sell', 10_201, 4_000);
  const client = await connect();
  client.send({ type: 'subscribe', ...grouped, id: 7 });
  expect(await client.next()).toEqual({ type: 'subscribed', ...grouped, market: 'spot', id: 7 });
  const snapshot = await client.next();
  expect(snapshot).toEqual({
    type: 'snapshot',
    ...grouped,
    market: 'spot',
    seq: expect.any(Number) as number,
    last_update_id: 6,
    ts: 1_700_000_000_000,
    data: {
      bids: [['100', '1.75']],
      asks: [
        ['102', '3'],
        ['103', '4'],
      ],
    },
  });
  place('buy', 9_999, 1_000);
  expect(await client.nextOf('update')).toMatchObject({
    ...grouped,
    seq: Number(snapshot['seq']) + 1,
    prev_seq: snapshot['seq'],
    data: { bids: [['99', '1']], asks: [] },
  });
  client.send({ type: 'unsubscribe', ...grouped });
  expect(await client.nextOf('unsubscribed')).toMatchObject(grouped);
});

test('orderbook: with a group, the book reaches far beyond the best 30 prices', async () => {
  const { exchange, connect } = await start();
  for (let price = 1_000; price < 9_000; price += 100) {
    exchange.place({ accountId: trader, side: 'buy', price, quantity: 1_000 });
  }
  const client = await connect();
  client.send({ type: 'subscribe', ...grouped, group: '10' });
  const { data } = await client.nextOf('snapshot');
  const { bids } = data as { readonly bids: readonly (readonly [string, string])[] };
  expect(bids.map(([price]) => price)).toEqual(['80', '70', '60', '50', '40', '30', '20', '10']);
  expect(new Set(bids.map(([, quantity]) => quantity))).toEqual(new Set(['10']));
});

test.each(['0.01', '0.5', '1.0', '1000', '', 'x'])(
  'orderbook: %j is not a group of a market whose tick is 0.01',
  async (group) => {
    const { connect } = await start();
    const client = await connect();
    client.send({ type: 'subscribe', ...grouped, group });
    expect(await client.next()).toMatchObject({
      type: 'error',
      code: 'INVALID_PARAMETER',
      message: 'group is one of 0.1, 1, 10, 100',
    });
  },
);
