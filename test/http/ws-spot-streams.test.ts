import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { testAddress } from '../support/manual-exchange.ts';
import type { RawMessage } from '../support/raw-stream.ts';
import { SpotSocketsFixture } from '../support/spot-sockets-fixture.ts';

// Spot's streams and WebSocket API as Binance has them.

const subscribe = 'userDataStream.subscribe.signature';

let spot: SpotSocketsFixture;
let first: AccountId;
let second: AccountId;

beforeEach(async () => {
  spot = new SpotSocketsFixture();
  await spot.start();
  first = spot.exchange.addTrader(1);
  second = spot.exchange.addTrader(2);
});
afterEach(() => spot.stop());

const eventOf = ({ event }: RawMessage) => event as RawMessage;

test('spot streams: depth continues from the snapshot without a gap, in whole changes', async () => {
  const { next } = await open('/streams/spot/ws/btcusdt@depth@100ms/btcusdt@depth5');
  spot.exchange.place({ accountId: first, side: 'sell', price: 100, quantity: 3 });
  expect(await next((each) => each['e'] === 'depthUpdate')).toMatchObject({
    s: 'BTCUSDT',
    U: 1,
    u: 1,
    b: [],
    a: [['1', '0.003']],
  });
  spot.clock.advance(1_000);
  spot.exchange.place({ accountId: second, side: 'buy', price: 100, quantity: 2 });
  spot.exchange.place({ accountId: second, side: 'buy', price: 90, quantity: 1 });
  expect(await next((each) => each['e'] === 'depthUpdate')).toMatchObject({ U: 2 });
  expect(await next((each) => each['lastUpdateId'] === 3)).toMatchObject({
    bids: [['0.9', '0.001']],
    asks: [['1', '0.001']],
  });
});

test('spot streams: rolling windows and the average price of five minutes', async () => {
  const { next } = await open(
    '/streams/spot/ws/btcusdt@ticker_1h/btcusdt@avgPrice/!ticker_4h@arr/btcusdt@ticker_1d',
  );
  const trade = (price: number) => {
    spot.exchange.time = spot.clock.now();
    spot.exchange.place({ accountId: first, side: 'sell', price, quantity: 1 });
    spot.exchange.place({ accountId: second, side: 'buy', price, quantity: 1 });
  };
  trade(100);
  const named = (name: string) => (each: RawMessage) => each['e'] === name;
  expect(await next(named('1hTicker'))).toMatchObject({ o: '1', c: '1', n: 1, v: '0.001' });
  expect(await next(named('avgPrice'))).toMatchObject({ s: 'BTCUSDT', i: '5m', w: '1' });
  expect(await next((each) => Array.isArray(each))).toMatchObject([{ e: '4hTicker', c: '1' }]);
  spot.clock.advance(2 * 3_600_000);
  trade(300);
  expect(await next((each) => each['e'] === '1hTicker' && each['c'] === '3')).toMatchObject({
    o: '3',
    n: 1,
  });
  expect(await next((each) => each['e'] === 'avgPrice' && each['w'] === '3')).toBeDefined();
  expect(await next((each) => each['e'] === '1dTicker' && each['c'] === '3')).toMatchObject({
    o: '1',
    n: 2,
    w: '2',
  });
});

test('spot streams: an unknown stream stays silent, as do those of futures', async () => {
  const stream = await spot.connect('/streams/spot/ws');
  const params = ['btcusdt@markPrice', 'btcusdt@forceOrder', 'nothing@trade'];
  expect(await stream.ask({ method: 'SUBSCRIBE', params, id: 1 })).toEqual({ result: null, id: 1 });
  expect(await stream.ask({ method: 'LIST_SUBSCRIPTIONS', id: 2 })).toEqual({
    result: params,
    id: 2,
  });
});

test('spot user data: an order’s steps, then its balances, by listen key', async () => {
  const { listenKey } = await spot.listenKeys.issue(testAddress(1));
  const { next } = await open(`/streams/spot/ws/${listenKey}`);
  spot.exchange.place({ accountId: second, side: 'sell', price: 100, quantity: 1 });
  spot.exchange.place({ accountId: second, side: 'sell', price: 101, quantity: 1 });
  spot.exchange.place({
    accountId: first,
    side: 'buy',
    price: 101,
    quantity: 3,
    clientOrderId: 'mine',
  });
  const taken = { s: 'BTCUSDT', c: 'mine', S: 'BUY', o: 'LIMIT', f: 'GTC', q: '0.003', p: '1.01' };
  expect(await next()).toMatchObject({
    ...taken,
    e: 'executionReport',
    x: 'NEW',
    X: 'NEW',
    l: '0',
    z: '0',
    t: -1,
    N: null,
  });
  expect(await next()).toMatchObject({
    ...taken,
    x: 'TRADE',
    X: 'PARTIALLY_FILLED',
    l: '0.001',
    z: '0.001',
    L: '1',
    t: 1,
    Y: '0.001',
    Z: '0.001',
    N: 'BTC',
    m: false,
    w: true,
  });
  expect(await next()).toMatchObject({
    x: 'TRADE',
    X: 'PARTIALLY_FILLED',
    z: '0.002',
    L: '1.01',
    Z: '0.00201',
    t: 2,
  });
  expect(await next()).toMatchObject({
    e: 'outboundAccountPosition',
    B: expect.arrayContaining([{ a: 'BTC', f: '1000000.002', l: '0' }]) as unknown,
  });
  // Resting now, it is the maker of the next trade.
  spot.exchange.place({ accountId: second, side: 'sell', price: 101, quantity: 1 });
  expect(await next()).toMatchObject({
    x: 'TRADE',
    X: 'FILLED',
    l: '0.001',
    z: '0.003',
    m: true,
    w: false,
  });
  expect(await next()).toMatchObject({ e: 'outboundAccountPosition' });
});

test('spot user data: CANCELED and EXPIRED end an order', async () => {
  const { listenKey } = await spot.listenKeys.issue(testAddress(1));
  const { next } = await open(`/streams/spot/stream?streams=${listenKey}`);
  const { events } = spot.exchange.place({
    accountId: first,
    side: 'buy',
    price: 90,
    quantity: 1,
    clientOrderId: 'mine',
  });
  const [placed] = events.flatMap((each) => (each.type === 'spotOrderUpdated' ? [each.order] : []));
  expect(await next()).toMatchObject({ stream: listenKey, data: { x: 'NEW', w: true } });
  await next();
  spot.exchange.apply({
    type: 'cancelSpotOrder',
    accountId: first,
    orderNumber: placed!.orderNumber,
  } as never);
  expect(await next()).toMatchObject({
    data: { x: 'CANCELED', X: 'CANCELED', c: 'mine', C: 'mine' },
  });
  await next();
  spot.exchange.place({
    accountId: first,
    side: 'buy',
    price: 90,
    quantity: 1,
    timeInForce: 'ioc',
  });
  expect(await next()).toMatchObject({ data: { x: 'NEW' } });
  expect(await next()).toMatchObject({ data: { x: 'EXPIRED', X: 'EXPIRED', z: '0', w: false } });
});

test('spot user data: incoming money is sent before the balance that includes it', async () => {
  const api = await spot.connect('/ws-api/v3');
  const answer = await api.ask({ id: 1, method: subscribe, params: spot.sign() });
  expect(answer).toMatchObject({ status: 200, result: { subscriptionId: 0 } });
  spot.exchange.credit(testAddress(1), 'BTC', 5n);
  expect(eventOf(await api.next())).toMatchObject({ e: 'balanceUpdate', a: 'BTC', d: '5' });
  expect(eventOf(await api.next())).toMatchObject({
    e: 'outboundAccountPosition',
    B: [{ a: 'BTC', f: '1000005', l: '0' }],
  });
});

test('spot user data: subscriptions are counted, listed and ended', async () => {
  const api = await spot.connect('/ws-api/v3');
  for (let id = 0; id < 10; id += 1) {
    const answer = await api.ask({ id, method: subscribe, params: spot.sign() });
    expect(answer).toMatchObject({ result: { subscriptionId: id } });
  }
  expect(await api.ask({ id: 'x', method: subscribe, params: spot.sign() })).toMatchObject({
    status: 400,
    error: { msg: 'At most 10 subscriptions a connection.' },
  });
  const method = 'userDataStream.unsubscribe';
  expect(await api.ask({ id: 'y', method, params: { subscriptionId: 3 } })).toMatchObject({
    status: 200,
    result: {},
  });
  expect(await api.ask({ id: 'z', method, params: { subscriptionId: 3 } })).toMatchObject({
    status: 400,
    error: { msg: 'Unknown subscriptionId.' },
  });
  expect(await api.ask({ id: 'n', method: 'session.subscriptions' })).toMatchObject({
    result: [0, 1, 2, 4, 5, 6, 7, 8, 9].map((subscriptionId) => ({ subscriptionId })),
  });
  await api.ask({ id: 'all', method });
  expect(await api.ask({ id: 'o', method: 'session.subscriptions' })).toMatchObject({ result: [] });
});

test('spot user data: after a logon it needs no signature', async () => {
  const api = await spot.connect('/ws-api/v3');
  const method = 'userDataStream.subscribe';
  expect(await api.ask({ id: 1, method })).toMatchObject({ status: 401, error: { code: -2014 } });
  await api.ask({ id: 2, method: 'session.logon', params: spot.sign() });
  expect(await api.ask({ id: 3, method })).toMatchObject({ result: { subscriptionId: 0 } });
});

test('spot user data: a stranger subscribes to nothing, and each attempt counts', async () => {
  const api = await spot.connect('/ws-api/v3');
  const ask = (id: string, params: RawMessage) => api.ask({ id, method: subscribe, params });
  expect(await ask('none', {})).toMatchObject({ status: 401, error: { code: -2014 } });
  expect(await ask('forged', spot.sign({}, 'wrong'))).toMatchObject({
    status: 400,
    error: { code: -1022 },
  });
  spot.credential = { ...spot.credential!, permissions: ['trade'] };
  expect(await ask('unread', spot.sign())).toMatchObject({ status: 401, error: { code: -2015 } });

  const limited = new SpotSocketsFixture({ requestWeightPerMinute: 5 });
  await limited.start();
  try {
    const other = await limited.connect('/ws-api/v3');
    const params = limited.sign({}, 'wrong');
    for (let id = 0; id < 2; id += 1) await other.ask({ id, method: subscribe, params });
    expect(await other.ask({ id: 'over', method: subscribe, params })).toMatchObject({
      status: 429,
      error: { code: -1003 },
    });
  } finally {
    await limited.stop();
  }
});

test.each([
  ['deleted', null],
  ['disabled', { isEnabled: false }],
  ['bound to other addresses', { ipWhitelist: ['203.0.113.7'] }],
  ['no longer allowed to read', { permissions: ['trade'] as const }],
])('spot user data: a subscription ends within 10 s with its API key, %s', async (_, change) => {
  const api = await spot.connect('/ws-api/v3');
  await api.ask({ id: 1, method: subscribe, params: spot.sign() });
  spot.credential = change === null ? null : { ...spot.credential!, ...change };
  for (let second = 0; second < 10; second += 1) spot.clock.advance(1_000);
  expect(await api.next()).toMatchObject({
    subscriptionId: 0,
    event: { e: 'eventStreamTerminated' },
  });
  spot.exchange.credit(testAddress(1), 'BTC', 5n);
  expect(await api.ask({ id: 2, method: 'session.subscriptions' })).toMatchObject({ result: [] });
});

test('spot user data: a revoked listen key is reported and ends its connection', async () => {
  const { listenKey } = await spot.listenKeys.issue(testAddress(1));
  const stream = await spot.connect(`/streams/spot/ws/${listenKey}`);
  const closed = new Promise<number>((resolve) => stream.webSocket.once('close', resolve));
  await spot.listenKeys.revoke(testAddress(1));
  for (let second = 0; second < 10; second += 1) spot.clock.advance(1_000);
  expect(await stream.next()).toMatchObject({ e: 'listenKeyExpired', listenKey });
  expect(await closed).toBe(1008);
});

test('spot WebSocket API: the same signed order is one order, refusals are spot’s', async () => {
  const api = await spot.connect('/ws-api/v3');
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' };
  const params = spot.sign({ ...order, quantity: '0.001', price: '1' });
  const [one, two] = [
    await api.ask({ id: 1, method: 'order.place', params }),
    await api.ask({ id: 2, method: 'order.place', params }),
  ];
  expect(one).toMatchObject({ status: 200, result: { status: 'NEW', orderId: 1 } });
  expect(two['result']).toEqual(one['result']);
  const open = await api.ask({ id: 3, method: 'openOrders.status', params: spot.sign() });
  expect(open['result']).toHaveLength(1);
  const off = spot.sign({ ...order, quantity: '0.001', price: '1.001' });
  expect(await api.ask({ id: 4, method: 'order.place', params: off })).toMatchObject({
    status: 400,
    error: { code: -1013, msg: 'Filter failure: PRICE_FILTER' },
  });
  const replace = spot.sign({
    ...order,
    quantity: '0.001',
    price: '2',
    cancelOrderId: 99,
    cancelReplaceMode: 'STOP_ON_FAILURE',
  });
  expect(await api.ask({ id: 5, method: 'order.cancelReplace', params: replace })).toMatchObject({
    status: 400,
    error: { code: -2022, data: { newOrderResult: 'NOT_ATTEMPTED' } },
  });
  expect(await api.ask({ id: 6, method: 'order.modify', params: {} })).toMatchObject({
    error: { msg: 'Unknown method.' },
  });
});

async function open(path: string) {
  const stream = await spot.connect(path);
  return { next: (fits?: (message: RawMessage) => boolean) => stream.next(fits) };
}
