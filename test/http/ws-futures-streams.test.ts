import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { FuturesFixture } from '../support/futures-fixture.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { RawStream } from '../support/raw-stream.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

const key = 'k'.repeat(64);
let exchange: ManualExchange;
let futures: FuturesFixture;
let running: StreamServer;
let long: AccountId;
let short: AccountId;
let isKeyAlive: boolean;
const streams: RawStream[] = [];

class ExchangeFutures extends FuturesFixture {
  override engine = exchange.engine as Engine;

  override apply(command: Command): AppliedCommand {
    exchange.time = this.now;
    return exchange.apply(command);
  }
}

beforeEach(async () => {
  exchange = new ManualExchange();
  futures = new ExchangeFutures();
  futures.now = exchange.time;
  long = futures.fund(1, 10_000);
  short = futures.fund(2, 10_000);
  isKeyAlive = true;
  const find = async (listenKey: string) =>
    listenKey === key && isKeyAlive ? testAddress(1) : null;
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

async function subscribed(path: string, ...params: string[]): Promise<RawStream> {
  const stream = await open(path);
  expect(await stream.ask({ id: 1, method: 'SUBSCRIBE', params })).toEqual({ result: null, id: 1 });
  return stream;
}

test.each([
  '/ws',
  '/public/ws',
  '/market/ws',
  '/private/ws',
  '/public/ws/0',
  '/stream',
  '/market/stream',
])('futures streams: %s accepts SUBSCRIBE, LIST_SUBSCRIPTIONS and UNSUBSCRIBE', async (path) => {
  const stream = await subscribed(path, 'btcusdt@depth', '!miniTicker@arr');
  const list = { id: 'abc', method: 'LIST_SUBSCRIPTIONS' };
  const names = ['btcusdt@depth', '!miniTicker@arr'];
  expect(await stream.ask(list)).toEqual({ result: names, id: 'abc' });
  const leave = { id: 3, method: 'UNSUBSCRIBE', params: ['btcusdt@depth'] };
  expect(await stream.ask(leave)).toEqual({ result: null, id: 3 });
  expect(await stream.ask({ ...list, id: 4 })).toEqual({ result: ['!miniTicker@arr'], id: 4 });
});

test('futures streams: an unknown stream is accepted, stays silent, and affects no other', async () => {
  const stream = await open('/ws');
  const params = ['btcusdt@depth@0ms', 'btcusdt@nothing', 'nosuch@depth', 'z'.repeat(64)];
  const reply = await stream.ask({ id: 1, method: 'SUBSCRIBE', params });
  expect(reply).toEqual({ result: null, id: 1 });
  const listed = await stream.ask({ id: 2, method: 'LIST_SUBSCRIPTIONS' });
  expect(new Set(listed['result'] as string[])).toEqual(new Set(params));
  const atOnce = await open('/stream?streams=nosuch@depth/btcusdt@depth@0ms/btcusdt@nothing');
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_100, quantity: 1 });
  expect(await stream.next()).toMatchObject({ e: 'depthUpdate', a: [['30100', '1']] });
  expect(await atOnce.next()).toMatchObject({ stream: 'btcusdt@depth@0ms' });
});

test('futures streams: asset indexes and trading hours are accepted and stay silent', async () => {
  const names = ['!assetIndex@arr', 'usdtusd@assetIndex', 'tradingSession', '!compositeIndex'];
  const stream = await subscribed('/market/stream', ...names, 'btcusdt@markPrice@1s');
  const listed = await stream.ask({ id: 2, method: 'LIST_SUBSCRIPTIONS' });
  expect(new Set(listed['result'] as string[])).toEqual(
    new Set([...names, 'btcusdt@markPrice@1s']),
  );
  futures.setIndex(30_000);
  expect(await stream.next()).toMatchObject({ stream: 'btcusdt@markPrice@1s' });
  expect(await stream.next()).toMatchObject({ stream: 'btcusdt@markPrice@1s' });
});

test('futures streams: rpiDepth is refused, and other streams of the URL are served', async () => {
  const stream = await open('/ws/btcusdt@rpiDepth@500ms/btcusdt@depth');
  const msg = 'Invalid request: rpiDepth is not offered, as depth contains all orders';
  expect(await stream.next()).toEqual({ error: { code: 2, msg }, id: null });
  const params = ['btcusdt@rpiDepth@500ms'];
  const reply = await stream.ask({ id: 1, method: 'SUBSCRIBE', params });
  expect(reply).toEqual({ error: { code: 2, msg }, id: 1 });
  expect(await stream.ask({ id: 2, method: 'LIST_SUBSCRIPTIONS' })).toEqual({
    result: ['btcusdt@depth'],
    id: 2,
  });
});

test('continuousKline names the pair, contractInfo sends changes of a market', async () => {
  const name = 'btcusdt_perpetual@continuousKline_1m';
  const stream = await subscribed('/stream', name, '!contractInfo');
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.3 });
  futures.place(long, 'buy', { quantity: 0.3 });
  expect(await stream.next(({ stream: told }) => told === name)).toMatchObject({
    data: { e: 'continuous_kline', ps: 'BTCUSDT', ct: 'PERPETUAL', k: { i: '1m', c: '30000' } },
  });
  futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'halted' });
  expect(await stream.next(({ stream: told }) => told === '!contractInfo')).toMatchObject({
    data: { e: 'contractInfo', s: 'BTCUSDT', ct: 'PERPETUAL', cs: 'PENDING_TRADING' },
  });
});

test('futures streams: broken JSON is code 3, a broken request code 2', async () => {
  const stream = await open('/public/ws');
  stream.send('{');
  expect(await stream.next()).toMatchObject({ error: { code: 3 }, id: null });
  stream.send({ id: 5, method: 'SUBSCRIBE', params: [1] });
  expect(await stream.next()).toMatchObject({ error: { code: 2 }, id: 5 });
});

test('depth: U, u and pu are contiguous with the REST snapshot', async () => {
  const stream = await subscribed('/ws', 'btcusdt@depth@100ms');
  const { lastUpdateId } = exchange.engine.futures.getFuturesDepth(0 as never, 10);
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_100, quantity: 1 });
  const first = await stream.next(({ e }) => e === 'depthUpdate');
  expect(first).toMatchObject({
    s: 'BTCUSDT',
    U: lastUpdateId + 1,
    u: lastUpdateId + 1,
    pu: lastUpdateId,
    b: [],
    a: [['30100', '1']],
  });
  futures.place(long, 'buy', { price: 29_900, quantity: 0.5 });
  futures.place(long, 'buy', { quantity: 1 });
  const second = await stream.next(({ e }) => e === 'depthUpdate');
  expect(second).toMatchObject({ U: Number(first['u']) + 1, pu: first['u'] });
});

test('trade, aggTrade, bookTicker, kline and markPrice report what happened', async () => {
  const names = ['trade', 'aggTrade', 'bookTicker', 'kline_1m', 'markPrice@1s'];
  const stream = await subscribed('/stream', ...names.map((name) => `btcusdt@${name}`));
  const seen = new Map<unknown, Record<string, unknown>>();
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.3 });
  futures.place(short, 'sell', { price: 30_000, quantity: 0.3 });
  futures.place(long, 'buy', { quantity: 0.6 });
  while (seen.size < names.length) {
    const message = await stream.next(({ stream: name }) => typeof name === 'string');
    seen.set(message['stream'], message['data'] as Record<string, unknown>);
  }
  expect(seen.get('btcusdt@trade')).toMatchObject({ e: 'trade', p: '30000', q: '0.3', m: false });
  expect(seen.get('btcusdt@aggTrade')).toMatchObject({
    e: 'aggTrade',
    p: '30000',
    q: '0.6',
    f: 1,
    l: 2,
  });
  expect(seen.get('btcusdt@bookTicker')).toMatchObject({ e: 'bookTicker', s: 'BTCUSDT' });
  expect(seen.get('btcusdt@markPrice@1s')).toMatchObject({ e: 'markPriceUpdate', p: '30000' });
  expect(seen.get('btcusdt@kline_1m')).toMatchObject({
    k: { i: '1m', o: '30000', v: '0.6', n: 2 },
  });
});

test.each([`/ws/${key}`, `/private/ws?listenKey=${key}`, `/private/stream?listenKey=${key}`])(
  'user stream: %s gets one event per fill, then the account',
  async (path) => {
    const stream = await open(path);
    // The subscription of a URL has no reply; the list answers once it stands.
    await stream.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(short, 'sell', { price: 30_010, quantity: 0.2 });
    futures.place(long, 'buy', { price: 30_010, quantity: 0.3, clientOrderId: 'mine' });
    const events: Record<string, unknown>[] = [];
    while (events.length < 4) {
      const message = await stream.next();
      const wrapped = message['stream'] === key;
      expect(wrapped).toBe(path.includes('/stream'));
      const event = wrapped ? message['data'] : message;
      events.push(event as Record<string, unknown>);
    }
    const orders = events.slice(0, 3).map(({ o }) => o as Record<string, unknown>);
    expect(orders.map(({ x, X, l, z }) => [x, X, l, z])).toEqual([
      ['NEW', 'NEW', '0', '0'],
      ['TRADE', 'PARTIALLY_FILLED', '0.1', '0.1'],
      ['TRADE', 'FILLED', '0.2', '0.3'],
    ]);
    expect(orders[1]).toMatchObject({ c: 'mine', s: 'BTCUSDT', ps: 'BOTH', N: 'USDT', n: '1.5' });
    expect(events[3]).toMatchObject({
      e: 'ACCOUNT_UPDATE',
      a: {
        m: 'ORDER',
        B: [{ a: 'USDT', bc: '0' }],
        P: [{ s: 'BTCUSDT', pa: '0.3', bep: '30021.67', mt: 'cross' }],
      },
    });
  },
);

test('user stream: leverage is ACCOUNT_CONFIG_UPDATE, a conditional order ALGO_UPDATE', async () => {
  const stream = await subscribed('/private/ws', key);
  futures.setIndex(30_000);
  futures.done({ type: 'setLeverage', accountId: long, marketId: 0 as never, leverage: 10 });
  expect(await stream.next()).toMatchObject({
    e: 'ACCOUNT_CONFIG_UPDATE',
    ac: { s: 'BTCUSDT', l: 10 },
  });
  const terms = {
    orderType: 'stop_market',
    stopPrice: 31_000,
    quantity: 0.1,
    isAlgo: true,
  } as const;
  futures.place(long, 'buy', terms);
  expect(await stream.next()).toMatchObject({
    e: 'ALGO_UPDATE',
    o: { at: 'CONDITIONAL', o: 'STOP_MARKET', X: 'NEW', tp: '31000' },
  });
});

test('user stream: events selects the events of a listen key', async () => {
  futures.setIndex(30_000);
  const stream = await open(`/private/ws?listenKey=${key}&events=ACCOUNT_UPDATE/ALGO_UPDATE`);
  await stream.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(long, 'buy', { quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ e: 'ACCOUNT_UPDATE' });
  const all = await open(`/private/ws?listenKey=${key}&events=`);
  await all.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
  futures.done({ type: 'setLeverage', accountId: long, marketId: 0 as never, leverage: 10 });
  const terms = { orderType: 'stop_market', stopPrice: 31_000, isAlgo: true } as const;
  futures.place(long, 'buy', { ...terms, quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ e: 'ALGO_UPDATE' });
  expect(await all.next()).toMatchObject({ e: 'ACCOUNT_CONFIG_UPDATE' });
});

test('user stream: b and a are the remaining notional of bids and asks', async () => {
  futures.setIndex(30_000);
  const stream = await subscribed('/private/ws', key);
  const order = futures.place(long, 'buy', { price: 29_900, quantity: 0.3 });
  expect(await stream.next()).toMatchObject({
    o: { x: 'NEW', c: `web_${order}`, b: '8970', a: '0' },
  });
  futures.place(long, 'sell', { price: 30_100, quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ o: { x: 'NEW', b: '8970', a: '3010' } });
  futures.place(short, 'sell', { price: 29_900, quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ o: { x: 'TRADE', l: '0.1', b: '5980', a: '3010' } });
});

test('user stream: a conditional order ends as in REST, FINISHED or REJECTED', async () => {
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_200, quantity: 1 });
  const stream = await subscribed('/private/ws', key);
  const terms = {
    orderType: 'stop_market',
    stopPrice: 30_100,
    isAlgo: true,
    triggerPriceKind: 'mark',
  } as const;
  futures.place(long, 'buy', { ...terms, quantity: 0.1 });
  futures.place(long, 'buy', { ...terms, quantity: 1_000 });
  const last = new Map<unknown, unknown>();
  futures.setIndex(30_150);
  futures.advance(0);
  while (last.size < 2 || [...last.values()].some((status) => !isEnded(status))) {
    const { o } = await stream.next(({ e }) => e === 'ALGO_UPDATE');
    const { q, X } = o as { q: string; X: string };
    last.set(q, X);
  }
  expect([...last]).toEqual([
    ['0.1', 'FINISHED'],
    ['1000', 'REJECTED'],
  ]);
});

function isEnded(status: unknown): boolean {
  return status !== 'NEW' && status !== 'TRIGGERING' && status !== 'TRIGGERED';
}

test('user stream: er says why an order expired', async () => {
  futures.setIndex(30_000);
  const stream = await subscribed('/private/ws', key);
  const expired = async (side: 'buy' | 'sell', terms: Parameters<typeof futures.place>[2]) => {
    futures.place(long, side, terms);
    const event = await stream.next(({ o }) => (o as { x: string } | undefined)?.x === 'EXPIRED');
    return (event['o'] as { er: string }).er;
  };
  const at = { price: 30_000, quantity: 0.1 };
  expect(await expired('buy', { ...at, timeInForce: 'ioc' })).toBe('2');
  expect(await expired('buy', { ...at, timeInForce: 'fok' })).toBe('10');
  expect(await expired('buy', { quantity: 0.1 })).toBe('9');
  futures.place(short, 'sell', { price: 30_050, quantity: 0.1 });
  const postOnly = { orderType: 'stop', timeInForce: 'gtx', stopPrice: 30_010 } as const;
  futures.place(long, 'buy', {
    ...postOnly,
    triggerPriceKind: 'mark',
    price: 30_050,
    quantity: 0.1,
  });
  futures.setIndex(30_020);
  futures.advance(0);
  const refused = await stream.next(({ o }) => (o as { x: string } | undefined)?.x === 'EXPIRED');
  expect(refused['o']).toMatchObject({ ot: 'STOP', er: '11' });
  futures.setIndex(30_000);
  futures.advance(0);
  const own = futures.place(long, 'sell', at);
  expect(await expired('buy', at)).toBe('1');
  expect(await expired('buy', { ...at, timeInForce: 'ioc' })).toBe('3');
  futures.done({ type: 'cancelFuturesOrder', accountId: long, orderNumber: own });
  // Nothing of the reduce-only order is left once the position is closed.
  futures.place(short, 'sell', at);
  futures.place(long, 'buy', at);
  futures.place(long, 'sell', { price: 30_100, quantity: 0.1, isReduceOnly: true });
  futures.place(short, 'buy', at);
  expect(await expired('sell', at)).toBe('4');
});

test('user stream: pm is the price match, and p the price from the book', async () => {
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_010, quantity: 0.1 });
  const stream = await subscribed('/private/ws', key);
  futures.place(long, 'buy', { quantity: 0.1, priceMatch: 'opponent' });
  expect(await stream.next()).toMatchObject({
    e: 'ORDER_TRADE_UPDATE',
    o: { x: 'NEW', p: '30010', pm: 'OPPONENT' },
  });
  const terms = { orderType: 'stop', timeInForce: 'gtc', stopPrice: 31_000, isAlgo: true } as const;
  futures.place(long, 'buy', { ...terms, quantity: 0.1, priceMatch: 'queue_5' });
  expect(await stream.next(({ e }) => e === 'ALGO_UPDATE')).toMatchObject({
    o: { o: 'STOP', X: 'NEW', p: '0', pm: 'QUEUE_5' },
  });
});

test('user stream: an expired key is listenKeyExpired, and its connection ends', async () => {
  await running.stop();
  const find = async (listenKey: string) =>
    listenKey === key && isKeyAlive ? testAddress(1) : null;
  running = await startStreamServer({ exchange, listenKeys: { find } });
  const stream = await open(`/ws/${key}`);
  await stream.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
  isKeyAlive = false;
  running.clock.advance(9_000);
  expect(await stream.next()).toMatchObject({ e: 'listenKeyExpired', listenKey: key });
  const code = await new Promise<number>((resolve) => stream.webSocket.once('close', resolve));
  expect(code).toBe(1008);
});

test('user stream: its end leaves market streams of the connection unchanged', async () => {
  await running.stop();
  const find = async (listenKey: string) =>
    listenKey === key && isKeyAlive ? testAddress(1) : null;
  running = await startStreamServer({ exchange, listenKeys: { find } });
  const stream = await open(`/ws/${key}/btcusdt@depth@0ms`);
  await stream.ask({ id: 1, method: 'LIST_SUBSCRIPTIONS' });
  isKeyAlive = false;
  running.clock.advance(9_000);
  expect(await stream.next()).toMatchObject({ e: 'listenKeyExpired', listenKey: key });
  futures.setIndex(30_000);
  futures.place(long, 'buy', { price: 29_000, quantity: 0.1 });
  expect(await stream.next()).toMatchObject({ e: 'depthUpdate' });
});
