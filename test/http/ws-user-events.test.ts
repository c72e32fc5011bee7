import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { futuresOf } from '../support/order-entry-fixture.ts';
import { RawStream } from '../support/raw-stream.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

const key = 'k'.repeat(64);
let futures: ReturnType<typeof futuresOf>;
let running: StreamServer;
let long: AccountId;
let short: AccountId;
const streams: RawStream[] = [];

beforeEach(async () => {
  const exchange = new ManualExchange();
  futures = futuresOf(exchange);
  long = futures.fund(1, 10_000);
  short = futures.fund(2, 10_000);
  const find = async (listenKey: string) => (listenKey === key ? testAddress(1) : null);
  running = await startStreamServer({ exchange, listenKeys: { find }, isTimeReal: true });
});

afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await running.stop();
});

async function open(path: string): Promise<RawStream> {
  const stream = new RawStream(running.url.replace('/ws', path));
  streams.push(stream);
  await stream.opened;
  return stream;
}

test('user stream: a conditional order is TRIGGERING, TRIGGERED, an order, FINISHED, once each', async () => {
  futures.setIndex(30_000);
  const stream = await open(`/private/ws?listenKey=${key}&events=ALGO_UPDATE/ORDER_TRADE_UPDATE`);
  const terms = { orderType: 'stop_market', isAlgo: true, triggerPriceKind: 'mark' } as const;
  futures.place(short, 'sell', { price: 30_160, quantity: 0.1 });
  futures.place(short, 'sell', { price: 30_170, quantity: 0.1 });
  futures.place(long, 'buy', { ...terms, stopPrice: 30_100, quantity: 0.2 });
  futures.setIndex(30_150);
  futures.advance(0);
  const told: unknown[] = [];
  while (told.at(-1) !== 'ALGO_UPDATE FINISHED') {
    const { e, o } = await stream.next();
    const { x = '', X } = o as { readonly x?: string; readonly X: string };
    told.push([e, x, X].filter((word) => word !== '').join(' '));
  }
  expect(told).toEqual([
    'ALGO_UPDATE NEW',
    'ALGO_UPDATE TRIGGERING',
    'ALGO_UPDATE TRIGGERED',
    'ORDER_TRADE_UPDATE NEW NEW',
    'ORDER_TRADE_UPDATE TRADE PARTIALLY_FILLED',
    'ORDER_TRADE_UPDATE TRADE FILLED',
    'ALGO_UPDATE FINISHED',
  ]);
});

test('user stream: TRADE_LITE before ORDER_TRADE_UPDATE for those who request it, and for no others', async () => {
  futures.setIndex(30_000);
  const names = 'TRADE_LITE/ORDER_TRADE_UPDATE';
  const lite = await open(`/private/ws?listenKey=${key}&events=${names}`);
  const usual = await open(`/ws/${key}`);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(long, 'buy', { quantity: 0.1, clientOrderId: 'mine' });
  expect(await lite.next()).toMatchObject({ e: 'ORDER_TRADE_UPDATE', o: { x: 'NEW' } });
  expect(await lite.next()).toMatchObject({
    e: 'TRADE_LITE',
    s: 'BTCUSDT',
    q: '0.1',
    p: '0',
    m: false,
    c: 'mine',
    S: 'BUY',
    L: '30000',
    l: '0.1',
  });
  expect(await lite.next()).toMatchObject({ e: 'ORDER_TRADE_UPDATE', o: { x: 'TRADE' } });
  expect(await usual.next()).toMatchObject({ e: 'ORDER_TRADE_UPDATE', o: { x: 'NEW' } });
  expect(await usual.next()).toMatchObject({ e: 'ORDER_TRADE_UPDATE', o: { x: 'TRADE' } });
});

test('user stream: funding is ACCOUNT_UPDATE with its market in S', async () => {
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(long, 'buy', { quantity: 0.1 });
  const stream = await open(`/private/ws?listenKey=${key}&events=ACCOUNT_UPDATE`);
  futures.watch(1_800);
  futures.advance(1_800_000);
  expect(await stream.next()).toMatchObject({
    e: 'ACCOUNT_UPDATE',
    a: { m: 'FUNDING_FEE', S: 'BTCUSDT', B: [{ a: 'USDT' }] },
  });
});

test('user stream: a trailing stop has AP and cr, other orders have neither', async () => {
  futures.setIndex(30_000);
  const stream = await open(`/private/ws?listenKey=${key}&events=ORDER_TRADE_UPDATE`);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  const trailing = { orderType: 'trailing_stop_market', callbackBps: 150 } as const;
  futures.place(long, 'buy', { ...trailing, quantity: 0.1, activation: 29_500 });
  const { o: waiting } = await stream.next();
  expect(waiting).toMatchObject({ o: 'TRAILING_STOP_MARKET', AP: '29500', cr: '1.5' });
  futures.place(long, 'buy', { price: 29_000, quantity: 0.1 });
  const { o: plain } = await stream.next();
  expect(plain).toMatchObject({ o: 'LIMIT', x: 'NEW' });
  expect(Object.keys(plain as object)).not.toEqual(expect.arrayContaining(['AP']));
  expect(Object.keys(plain as object)).not.toEqual(expect.arrayContaining(['cr']));
});

test('user stream: an amendment has its modifyId in M, if there is one', async () => {
  futures.setIndex(30_000);
  const stream = await open(`/private/ws?listenKey=${key}&events=ORDER_TRADE_UPDATE`);
  const orderNumber = futures.place(long, 'buy', { price: 29_000, quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ o: { x: 'NEW' } });
  for (const [price, modifyId] of [
    [29_100, 7],
    [29_200, null],
  ] as const) {
    futures.done({
      type: 'amendFuturesOrder',
      accountId: long,
      orderNumber,
      side: null,
      price: (price * 10) as never,
      priceMatch: 'none',
      quantity: 100 as never,
      modifyId,
    });
  }
  expect(await stream.next()).toMatchObject({ o: { x: 'AMENDMENT', p: '29100', M: '7' } });
  const { o: nameless } = await stream.next();
  expect(nameless).toMatchObject({ x: 'AMENDMENT', p: '29200' });
  expect(nameless).not.toHaveProperty('M');
});
