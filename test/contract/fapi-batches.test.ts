import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// Batches and conditional orders of /fapi.

let service: FapiService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  trader = await service.derivatives.nextTrader();
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;
interface Order {
  readonly orderId: number;
  readonly status: string;
}
interface AlgoOrder {
  readonly algoId: number;
  readonly clientAlgoId: string;
}

const limit = (change: Fields = {}): Fields => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '1',
  price: '90',
  ...change,
});
const error = (code: number, msg: string) => ({ code, msg });
const illegal = (name: string) => ({
  status: 400,
  body: error(-1100, `Illegal characters found in parameter '${name}'.`),
});
const mandatory = (name: string) =>
  error(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
const invalid = (name: string) => error(-1130, `Data sent for parameter '${name}' is not valid.`);
const openIds = async (): Promise<number[]> => {
  const open = await service.done<Order[]>('GET', '/v1/openOrders', trader, { symbol });
  return open.map(({ orderId }) => orderId);
};
const cancelAll = () => service.done('DELETE', '/v1/allOpenOrders', trader, { symbol });

describe('/fapi/v1/batchOrders', () => {
  const batch = (method: 'POST' | 'PUT', orders: unknown) =>
    service.call(method, '/v1/batchOrders', trader, {
      batchOrders: typeof orders === 'string' ? orders : JSON.stringify(orders),
    });

  test('batch: 200 with orders and errors mixed, each in its position', async () => {
    const { status, body } = await batch('POST', [
      limit(),
      limit({ side: 'HOLD' }),
      limit({ quantity: 1, price: 90.05 }),
      limit({ symbol: 'NOPE' }),
      { symbol },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { status: 'NEW', price: '90', origQty: '1' },
      invalid('side'),
      error(-1013, 'Filter failure: PRICE_FILTER.'),
      error(-1121, 'Invalid symbol.'),
      mandatory('side'),
    ]);
    await cancelAll();
  });

  test('batch: orders rest in the book in the order of the request', async () => {
    const { body } = await batch('POST', [limit(), limit(), limit(), limit(), limit()]);
    const ids = (body as Order[]).map(({ orderId }) => orderId);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(await openIds()).toEqual(ids);
    await cancelAll();
  });

  test('batch: 1 to 5 orders, as a JSON list', async () => {
    expect((await service.call('POST', '/v1/batchOrders', trader)).body).toEqual(
      mandatory('batchOrders'),
    );
    for (const orders of [[], 'no json', '{"a":1}']) {
      expect(await batch('POST', orders)).toEqual({ status: 400, body: mandatory('batchOrders') });
    }
    const six = Array.from({ length: 6 }, () => limit());
    expect(await batch('POST', six)).toEqual(illegal('batchOrders'));
    expect(await openIds()).toEqual([]);
  });

  test('batch: orders are amended, each on its own', async () => {
    const placed = await batch('POST', [limit(), limit()]);
    const [first, second] = (placed.body as Order[]).map(({ orderId }) => orderId);
    const change = { symbol, side: 'BUY', quantity: '2', price: '91' };
    const { body } = await batch('PUT', [
      { ...change, orderId: first },
      { ...change, orderId: 9_999_999 },
      { ...change, orderId: second, quantity: 3 },
    ]);
    expect(body).toMatchObject([
      { orderId: first, origQty: '2', price: '91' },
      error(-2013, 'Order does not exist.'),
      { orderId: second, origQty: '3', price: '91' },
    ]);
    await cancelAll();
  });

  test('batch cancel: by numbers or client ids, spelled in any letter case; trigger orders too', async () => {
    const plain = await service.done<Order>('POST', '/v1/order', trader, limit());
    const trigger = await service.done<Order>('POST', '/v1/order', trader, {
      symbol,
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: 1,
      stopPrice: 80,
    });
    await service.done('POST', '/v1/order', trader, limit({ newClientOrderId: 'named' }));
    const numbers = JSON.stringify([plain.orderId, trigger.orderId, 9_999_999]);
    const { body } = await service.call('DELETE', '/v1/batchOrders', trader, {
      symbol,
      orderidlist: numbers,
    });
    expect(body).toMatchObject([
      { orderId: plain.orderId, status: 'CANCELED' },
      { orderId: trigger.orderId, status: 'CANCELED' },
      error(-2011, 'Unknown order sent.'),
    ]);
    const named = await service.call('DELETE', '/v1/batchOrders', trader, {
      symbol,
      origClientOrderIdList: '["named"]',
    });
    expect(named.body).toMatchObject([{ clientOrderId: 'named', status: 'CANCELED' }]);
    expect(await openIds()).toEqual([]);
  });

  test('batch cancel: -1102 without a list, at most 10', async () => {
    const cancel = (fields: Fields) =>
      service.call('DELETE', '/v1/batchOrders', trader, { symbol, ...fields });
    expect((await cancel({})).body).toEqual(mandatory('orderIdList'));
    expect(await cancel({ orderIdList: JSON.stringify(Array(11).fill(1)) })).toEqual(
      illegal('orderIdList'),
    );
  });

  test('batch: an order refused by a busy engine does not hide the results of the others', async () => {
    const { exchange } = service.spot;
    const submit = exchange.submit.bind(exchange);
    let count = 0;
    exchange.submit = (command) => {
      count += 1;
      exchange.isBusy = count === 2;
      return submit(command).finally(() => {
        exchange.isBusy = false;
      });
    };
    const { status, body } = await batch('POST', [limit(), limit(), limit()]);
    exchange.submit = submit;
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { status: 'NEW' },
      error(-1001, 'Internal error; unable to process your request. Please try again.'),
      { status: 'NEW' },
    ]);
    await cancelAll();
  });
});

describe('conditional orders', () => {
  const algo = (change: Fields = {}): Fields => ({
    algoType: 'CONDITIONAL',
    symbol,
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: 1,
    triggerPrice: 80,
    ...change,
  });
  const placeAlgo = (change: Fields = {}) =>
    service.call('POST', '/v1/algoOrder', trader, algo(change));

  test('algo: the answer has every field of the algo object', async () => {
    const { status, body } = await placeAlgo({ clientAlgoId: 'sl-1', workingType: 'MARK_PRICE' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      algoId: expect.any(Number) as number,
      clientAlgoId: 'sl-1',
      algoType: 'CONDITIONAL',
      orderType: 'STOP_MARKET',
      symbol,
      side: 'SELL',
      positionSide: 'BOTH',
      quantity: '1',
      algoStatus: 'NEW',
      triggerPrice: '80',
      price: '0',
      icebergQuantity: null,
      workingType: 'MARK_PRICE',
      priceMatch: 'NONE',
      closePosition: false,
      priceProtect: false,
      reduceOnly: false,
      activatePrice: '',
      callbackRate: '',
      triggerTime: 0,
      goodTillDate: 0,
      actualOrderId: '',
    });
    await cancelAll();
  });

  test('algo: -1102 without algoType, -1130 for another one and for types without a trigger', async () => {
    expect((await placeAlgo({ algoType: '' })).body).toEqual(mandatory('algoType'));
    expect((await placeAlgo({ algoType: 'TWAP' })).body).toEqual(invalid('algoType'));
    expect((await placeAlgo({ type: 'LIMIT', price: 90 })).body).toEqual(invalid('type'));
  });

  test('algo: GTD needs a goodTillDate in the future, which the answer shows', async () => {
    const gtd = { type: 'STOP', price: 79, timeInForce: 'GTD' };
    expect((await placeAlgo(gtd)).body).toEqual(mandatory('goodTillDate'));
    expect(await placeAlgo({ ...gtd, goodTillDate: 'x' })).toEqual(illegal('goodTillDate'));
    expect(await placeAlgo({ ...gtd, goodTillDate: 1 })).toEqual(illegal('goodTillDate'));
    // More than 600 seconds ahead, and before the end of the year 9999.
    for (const tooSoon of [Date.now() + 590_000, 253_402_300_799_000]) {
      expect(await placeAlgo({ ...gtd, goodTillDate: tooSoon })).toEqual(illegal('goodTillDate'));
    }
    const goodTillDate = Date.now() + 3_600_000;
    expect((await placeAlgo({ ...gtd, goodTillDate })).body).toMatchObject({
      goodTillDate,
      timeInForce: 'GTD',
      orderType: 'STOP',
      price: '79',
    });
    await cancelAll();
  });

  test('algo: a trailing stop accepts activatePrice or activationPrice, and a callback in percent', async () => {
    const trailing = { type: 'TRAILING_STOP_MARKET', triggerPrice: '' };
    const one = await placeAlgo({ ...trailing, callbackRate: '0.5', activatePrice: 120 });
    expect(one.body).toMatchObject({ activatePrice: '120', callbackRate: '0.5' });
    const other = await placeAlgo({ ...trailing, callbackRate: 10, activationPrice: 121 });
    expect(other.body).toMatchObject({ activatePrice: '121', callbackRate: '10' });
    for (const callbackRate of ['0.09', '10.1', '0.105']) {
      expect(await placeAlgo({ ...trailing, callbackRate })).toEqual(illegal('callbackRate'));
    }
    expect((await placeAlgo(trailing)).body).toEqual(mandatory('callbackRate'));
    await cancelAll();
  });

  test('algo: ordinary trigger orders and algo orders are the same orders, visible through both', async () => {
    const { body } = await placeAlgo();
    const { algoId, clientAlgoId } = body as AlgoOrder;
    const plain = await service.done<Order>('POST', '/v1/order', trader, {
      symbol,
      side: 'SELL',
      type: 'TAKE_PROFIT_MARKET',
      quantity: 1,
      stopPrice: 120,
    });
    const open = (path: string) => service.done<AlgoOrder[]>('GET', path, trader, { symbol });
    for (const path of ['/v1/openAlgoOrders', '/v1/algoOpenOrders']) {
      const ids = (await open(path)).map((each) => each.algoId);
      expect(ids).toEqual([algoId, plain.orderId]);
    }
    expect(await openIds()).toEqual([algoId, plain.orderId]);
    const asOrder = { symbol, orderId: algoId };
    expect(await service.done('GET', '/v1/order', trader, asOrder)).toMatchObject({
      type: 'STOP_MARKET',
      stopPrice: '80',
      clientOrderId: clientAlgoId,
    });
    const asAlgo = { algoId: plain.orderId };
    expect(await service.done('GET', '/v1/algoOrder', trader, asAlgo)).toMatchObject({
      orderType: 'TAKE_PROFIT_MARKET',
      algoStatus: 'NEW',
    });
    expect(await service.done('DELETE', '/v1/algoOrder', trader, asAlgo)).toMatchObject({
      algoId: plain.orderId,
      code: '200',
      msg: 'success',
    });
    expect(await service.done('DELETE', '/v1/order', trader, asOrder)).toMatchObject({
      status: 'CANCELED',
    });
    const all = await service.done<AlgoOrder[]>('GET', '/v1/allAlgoOrders', trader, {
      symbol,
      algoId,
    });
    expect(all).toMatchObject([
      { algoId, algoStatus: 'CANCELED' },
      { algoId: plain.orderId, algoStatus: 'CANCELED' },
    ]);
  });

  test('algo: cancel-all of conditional orders leaves ordinary ones; unknown ones are -2011', async () => {
    const plain = await service.done<Order>('POST', '/v1/order', trader, limit());
    const { algoId } = (await placeAlgo()).body as AlgoOrder;
    await service.done('POST', '/v1/order', trader, {
      symbol,
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: 1,
      stopPrice: 80,
    });
    expect(await service.done('DELETE', '/v1/algoOpenOrders', trader, { symbol })).toMatchObject({
      code: 200,
    });
    expect(await openIds()).toEqual([plain.orderId]);
    expect((await service.call('DELETE', '/v1/algoOrder', trader, { algoId })).body).toEqual(
      error(-2011, 'Unknown order sent.'),
    );
    // An ordinary order is not a conditional one.
    const other = { algoId: plain.orderId };
    expect((await service.call('DELETE', '/v1/algoOrder', trader, other)).body).toEqual(
      error(-2011, 'Unknown order sent.'),
    );
    expect((await service.call('GET', '/v1/algoOrder', trader, other)).body).toEqual(
      error(-2013, 'Order does not exist.'),
    );
    await cancelAll();
  });

  test('algo: a trigger that fires trades under its own number', async () => {
    const own = await service.derivatives.nextMarket();
    await service.derivatives.setIndex(own, '100');
    service.derivatives.advanceTime();
    const maker = await service.derivatives.nextTrader();
    service.derivatives.place(maker, { symbol: own, side: 'buy', price: 97, quantity: 5 });
    const { algoId } = await service.done<AlgoOrder>('POST', '/v1/algoOrder', trader, {
      ...algo({ symbol: own, triggerPrice: 99, workingType: 'MARK_PRICE' }),
    });
    await service.derivatives.setIndex(own, '98.5');
    service.derivatives.advanceTime();
    expect(await service.done('GET', '/v1/algoOrder', trader, { algoId })).toMatchObject({
      algoStatus: 'FINISHED',
      actualOrderId: String(algoId),
      actualPrice: '97',
      actualQty: '1',
      actualType: 'MARKET',
    });
    const order = { symbol: own, orderId: algoId };
    expect(await service.done('GET', '/v1/order', trader, order)).toMatchObject({
      type: 'MARKET',
      origType: 'STOP_MARKET',
      status: 'FILLED',
      avgPrice: '97',
    });
  });
});
