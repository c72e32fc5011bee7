import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { binanceDialect } from '../../src/gateway/http/fapi/dialect/binance-dialect.ts';
import { FapiService } from '../support/fapi-service.ts';

// FAPI_DIALECT=binance: what /fapi then answers as Binance does.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

type Fields = Readonly<Record<string, string | number | boolean>>;

beforeAll(async () => {
  service = await FapiService.open({ dialect: binanceDialect });
  symbol = await service.derivatives.nextMarket({ max_notional: '1000000' });
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader();
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 1000 });
});
afterAll(() => service.close());

const limit = (change: Fields = {}): Fields => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 1,
  price: 90,
  ...change,
});
const place = (fields: Fields) => service.call('POST', '/v1/order', trader, fields);
const refused = (code: number) => ({ status: 400, body: { code } });
const algo = (): Fields => ({
  symbol,
  side: 'SELL',
  type: 'STOP_MARKET',
  algoType: 'CONDITIONAL',
  quantity: 1,
  triggerPrice: 80,
});

test('dialect: refusals of orders have Binance’s codes', async () => {
  expect(await place(limit({ price: 90.01 }))).toMatchObject(refused(-4014));
  expect(await place(limit({ quantity: 1.0005 }))).toMatchObject(refused(-1111));
  expect(await place(limit({ quantity: 0.001 }))).toMatchObject(refused(-4164));
  expect(await place(limit({ timeInForce: 'GTX', price: 101 }))).toMatchObject(refused(-5022));
  expect(await place(limit({ positionSide: 'LONG' }))).toMatchObject(refused(-4061));
  const named = limit({ newClientOrderId: 'one' });
  expect((await place(named)).status).toBe(200);
  expect(await place(named)).toMatchObject(refused(-4116));
  await service.done('DELETE', '/v1/allOpenOrders', trader, { symbol });
});

test('dialect: a batch refuses each order with the same codes', async () => {
  const orders = [limit({ price: 90.01 }), limit({ quantity: 1.0005 }), limit({ type: 'STOP' })];
  const batchOrders = JSON.stringify(
    orders.map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, value]) => [name, String(value)])),
    ),
  );
  expect(await service.done('POST', '/v1/batchOrders', trader, { batchOrders })).toMatchObject([
    { code: -4014 },
    { code: -1111 },
    { code: -4120 },
  ]);
});

test('dialect: conditional orders exist on the algo endpoints only', async () => {
  for (const type of ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET']) {
    expect(await place(limit({ type, stopPrice: 80 }))).toMatchObject(refused(-4120));
  }
  expect(await place(limit({ type: 'TRAILING_STOP_MARKET', callbackRate: 1 }))).toMatchObject(
    refused(-4120),
  );
  const { algoId } = await service.done<{ readonly algoId: number }>(
    ...(['POST', '/v1/algoOrder', trader, algo()] as const),
  );
  const { orderId } = await service.done<{ readonly orderId: number }>(
    ...(['POST', '/v1/order', trader, limit()] as const),
  );
  const numbersOf = async (path: string) =>
    (await service.done<readonly { readonly orderId: number }[]>('GET', path, trader, { symbol }))
      .map((each) => each.orderId)
      .filter((each) => each === orderId || each === algoId);
  expect(await numbersOf('/v1/openOrders')).toEqual([orderId]);
  expect(await numbersOf('/v1/allOrders')).toEqual([orderId]);
  for (const [method, path, code] of [
    ['GET', '/v1/order', -2013],
    ['GET', '/v1/openOrder', -2013],
    ['DELETE', '/v1/order', -2011],
  ] as const) {
    const asked = { symbol, orderId: algoId };
    expect(await service.call(method, path, trader, asked), path).toMatchObject({ body: { code } });
  }
  const change = { symbol, orderId: algoId, side: 'SELL', quantity: 2, price: 95 };
  expect(await service.call('PUT', '/v1/order', trader, change)).toMatchObject({
    body: { code: -2013 },
  });
  await service.done('DELETE', '/v1/allOpenOrders', trader, { symbol });
  expect(await numbersOf('/v1/openOrders')).toEqual([]);
  expect(await service.done('GET', '/v1/openAlgoOrders', trader, { symbol })).toMatchObject([
    { algoId },
  ]);
  await service.done('DELETE', '/v1/algoOpenOrders', trader, { symbol });
  expect(await service.done('GET', '/v1/openAlgoOrders', trader, { symbol })).toEqual([]);
});

test('dialect: countdownCancelAll leaves conditional orders to the algo endpoints', async () => {
  const { algoId } = await service.done<{ readonly algoId: number }>(
    ...(['POST', '/v1/algoOrder', trader, algo()] as const),
  );
  await service.done('POST', '/v1/order', trader, limit());
  await service.done('POST', '/v1/countdownCancelAll', trader, { symbol, countdownTime: 1 });
  await expect
    .poll(async () => {
      service.derivatives.advanceTime();
      return service.done('GET', '/v1/openOrders', trader, { symbol });
    })
    .toEqual([]);
  expect(await service.done('GET', '/v1/openAlgoOrders', trader, { symbol })).toMatchObject([
    { algoId },
  ]);
  await service.done('DELETE', '/v1/algoOpenOrders', trader, { symbol });
});

test('dialect: answers have the fields of Binance’s documents', async () => {
  const { orderId } = await service.done<{ readonly orderId: number }>(
    ...(['POST', '/v1/order', trader, limit({ price: 101, quantity: 2 })] as const),
  );
  const read = (path: string, fields: Fields = {}) =>
    service.done<readonly object[]>('GET', path, trader, { symbol, ...fields });
  expect(await read('/v1/userTrades', { orderId })).toMatchObject([
    { symbol, pair: symbol, baseQty: '0', quoteQty: '202' },
  ]);
  expect(await read('/v1/allOrders', { orderId })).toMatchObject([{ orderId, cumBase: '0' }]);
  service.spot.exchange.liveToHour();
  service.derivatives.advanceTime();
  await expect
    .poll(async () => (await service.read('/v1/fundingRate', { symbol, limit: 1 })).body)
    .toMatchObject([{ symbol, rateType: 'Regular' }]);
  await service.derivatives.setIndex(symbol, '100');
});

test('dialect: modifyId is returned with the order and kept in its history', async () => {
  const { orderId } = await service.done<{ readonly orderId: number }>(
    ...(['POST', '/v1/order', trader, limit()] as const),
  );
  const change = { symbol, orderId, quantity: 2 };
  const amend = (fields: Fields) =>
    service.done('PUT', '/v1/order', trader, { ...change, ...fields });
  expect(await amend({ price: 91, modifyId: 42 })).toMatchObject({ orderId, modifyId: 42 });
  expect(await amend({ price: 92 })).not.toHaveProperty('modifyId');
  const history = await service.done<readonly object[]>(
    ...(['GET', '/v1/orderAmendment', trader, { symbol, orderId }] as const),
  );
  expect(history).toMatchObject([
    { orderId, modifyId: 42, amendment: { count: 1 } },
    { orderId, amendment: { count: 2 } },
  ]);
  expect(history[1]).not.toHaveProperty('modifyId');
  await service.done('DELETE', '/v1/allOpenOrders', trader, { symbol });
});

test('dialect: failed authentication has code and msg, and listen keys need no signature', async () => {
  const path = '/fapi/v1/listenKey';
  const { apiKey } = await service.addKey(trader);
  const ask = async (headers: Record<string, string>, query: Record<string, string> = {}) => {
    const { status, body } = await service.spot.call({ method: 'POST', path, headers, query });
    return { status, body };
  };
  expect((await ask({ 'x-mbx-apikey': apiKey })).status).toBe(200);
  expect(await ask({})).toMatchObject({ status: 401, body: { code: -2014 } });
  expect(await ask({ 'x-mbx-apikey': 'U'.repeat(64) })).toMatchObject({
    status: 401,
    body: { code: -2015 },
  });
  const account = async (timestamp: number) => {
    const { status, body } = await service.spot.call({
      path: '/fapi/v3/account',
      headers: { 'x-mbx-apikey': apiKey },
      query: { timestamp: String(timestamp), signature: '0'.repeat(64) },
    });
    return { status, body };
  };
  expect(await account(Date.now())).toMatchObject(refused(-1022));
  expect(await account(Date.now() - 61_000)).toMatchObject(refused(-1021));
});

test('dialect: order/test answers with the order that it would have placed', async () => {
  const judged = await service.done('POST', '/v1/order/test', trader, limit());
  expect(judged).toMatchObject({
    orderId: 0,
    symbol,
    status: 'NEW',
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '90',
    origQty: '1',
    executedQty: '0',
    avgPrice: '0',
    positionSide: 'BOTH',
  });
  expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
});

test('dialect: exchangeInfo has PERCENT_PRICE and MAX_NUM_ALGO_ORDERS, and no GTD', async () => {
  const { body } = await service.read('/v1/exchangeInfo');
  const [market] = (body as { symbols: { filters: object[]; timeInForce: string[] }[] }).symbols;
  // No order trades further than a tenth from the mark price.
  expect(market?.filters).toContainEqual({
    filterType: 'PERCENT_PRICE',
    multiplierUp: '1.1',
    multiplierDown: '0.9',
    multiplierDecimal: '4',
  });
  expect(market?.filters).toContainEqual({ filterType: 'MAX_NUM_ALGO_ORDERS', limit: 200 });
  expect(market?.timeInForce).toEqual(['GTC', 'IOC', 'FOK', 'GTX']);
});
