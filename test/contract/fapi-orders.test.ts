import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, filter, illegal, invalid, mandatory, notRequired } from '../support/fapi-errors.ts';
import { FapiOrders, type OrderFields } from '../support/fapi-orders.ts';
import type { FapiService } from '../support/fapi-service.ts';

// Placing orders through /fapi: each row of the error table with its status, code and message, and
// the answers in Binance's words.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;
let orders: FapiOrders;

beforeAll(async () => {
  orders = await FapiOrders.open();
  ({ service, symbol, maker, trader } = orders);
});
afterAll(() => service.close());

const without = (fields: OrderFields, name: string): OrderFields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));

describe('POST /fapi/v1/order: refusals', () => {
  test('order: -1102 for each mandatory field that is missing, empty or undefined', async () => {
    for (const name of ['symbol', 'side', 'type', 'quantity', 'price']) {
      expect(await orders.place(without(orders.limit(), name))).toEqual(mandatory(name));
      expect(await orders.place({ ...orders.limit(), [name]: '' })).toEqual(mandatory(name));
      expect(await orders.place({ ...orders.limit(), [name]: 'undefined' })).toEqual(
        mandatory(name),
      );
    }
    expect(await orders.place(without(orders.stop(), 'stopPrice'))).toEqual(mandatory('stopPrice'));
  });

  test('order: -1102 for GTD on a regular order', async () => {
    const goodTillDate = Date.now() + 3_600_000;
    expect(await orders.place(orders.limit({ timeInForce: 'GTD', goodTillDate }))).toEqual(
      mandatory('timeInForce'),
    );
  });

  test('order: -1100 for malformed and non-positive numbers', async () => {
    for (const value of ['x', '1e3', '-1', '0', '+1', '0x10', 'NaN', '1,5', ' 1']) {
      expect(await orders.place(orders.limit({ quantity: value }))).toEqual(illegal('quantity'));
      expect(await orders.place(orders.limit({ price: value }))).toEqual(illegal('price'));
      expect(await orders.place(orders.stop({ stopPrice: value }))).toEqual(illegal('stopPrice'));
    }
    expect(await orders.place(orders.limit({ reduceOnly: 'maybe' }))).toEqual(
      illegal('reduceOnly'),
    );
  });

  test('order: -1100 for a newClientOrderId of 37 characters or with illegal ones', async () => {
    for (const value of ['a'.repeat(37), 'a b', 'a#', 'ä']) {
      expect(await orders.place(orders.limit({ newClientOrderId: value }))).toEqual(
        illegal('newClientOrderId'),
      );
    }
  });

  test('order: -1130 for an unknown side or type, and for a positionSide other than BOTH', async () => {
    expect(await orders.place(orders.limit({ side: 'HOLD' }))).toEqual(invalid('side'));
    expect(await orders.place(orders.limit({ side: 'buy' }))).toEqual(invalid('side'));
    expect(await orders.place(orders.limit({ type: 'ICEBERG' }))).toEqual(invalid('type'));
    expect(await orders.place(orders.limit({ positionSide: 'LONG' }))).toEqual(
      invalid('positionSide'),
    );
    expect(await orders.place(orders.limit({ timeInForce: 'DAY' }))).toEqual(
      invalid('timeInForce'),
    );
    expect(await orders.place(orders.limit({ workingType: 'INDEX' }))).toEqual(
      invalid('workingType'),
    );
    expect(await orders.place(orders.limit({ newOrderRespType: 'FULL' }))).toEqual(
      invalid('newOrderRespType'),
    );
  });

  test('order: -1121 for an unknown symbol', async () => {
    expect(await orders.place(orders.limit({ symbol: 'NOPEUSDT' }))).toEqual(
      error(-1121, 'Invalid symbol.'),
    );
  });

  test('order: -1106 for closePosition beside reduceOnly or quantity, or on another type', async () => {
    const close = without(orders.stop({ closePosition: true }), 'quantity');
    expect(await orders.place({ ...close, reduceOnly: true })).toEqual(notRequired('reduceOnly'));
    expect(await orders.place({ ...close, quantity: 1 })).toEqual(notRequired('quantity'));
    for (const type of ['LIMIT', 'MARKET', 'STOP', 'TRAILING_STOP_MARKET']) {
      expect(await orders.place({ ...close, price: 80, type })).toEqual(
        notRequired('closePosition'),
      );
    }
  });

  test('order: -1013 names the filter', async () => {
    expect(await orders.place(orders.limit({ price: '90.05' }))).toEqual(filter('PRICE_FILTER'));
    expect(await orders.place(orders.limit({ quantity: '0.0009' }))).toEqual(filter('LOT_SIZE'));
    expect(await orders.place(orders.limit({ quantity: '0.055' }))).toEqual(filter('MIN_NOTIONAL'));
    expect(await orders.place(orders.limit({ quantity: '11112' }))).toEqual(filter('MAX_NOTIONAL'));
    expect(await orders.place(orders.market({ quantity: '0.01' }))).toEqual(filter('MIN_NOTIONAL'));
  });

  test('order: -2010 for a GTX order that would match at once', async () => {
    expect(await orders.place(orders.limit({ timeInForce: 'GTX', price: 101 }))).toEqual(
      error(-2010, 'Order would immediately match and take.'),
    );
  });

  test('order: -2014 while another active order uses the newClientOrderId', async () => {
    await orders.placed(orders.limit({ newClientOrderId: 'twice' }));
    expect(await orders.place(orders.limit({ newClientOrderId: 'twice' }))).toEqual(
      error(-2014, 'Client order id is duplicated.'),
    );
    await orders.cancelAll();
    expect((await orders.placed(orders.limit({ newClientOrderId: 'twice' }))).clientOrderId).toBe(
      'twice',
    );
    await orders.cancelAll();
  });

  test('order: -2019 without the margin', async () => {
    const poor = await service.derivatives.nextTrader('1');
    expect(await orders.place(orders.limit(), poor)).toEqual(
      error(-2019, 'Margin is insufficient.'),
    );
  });

  test('order: -2021 if the trigger is met already', async () => {
    const met = error(-2021, 'Order would immediately trigger.');
    const mark = { workingType: 'MARK_PRICE' };
    expect(await orders.place(orders.stop({ ...mark, stopPrice: 100 }))).toEqual(met);
    expect(await orders.place(orders.stop({ ...mark, side: 'BUY', stopPrice: 100 }))).toEqual(met);
    const takeProfit = { ...mark, type: 'TAKE_PROFIT_MARKET' };
    expect(await orders.place(orders.stop({ ...takeProfit, stopPrice: 99 }))).toEqual(met);
    expect(await orders.place(orders.stop({ ...takeProfit, side: 'BUY', stopPrice: 101 }))).toEqual(
      met,
    );
  });

  test('order: -2022 for reduce-only without an opposite position', async () => {
    const refusal = error(-2022, 'ReduceOnly Order is rejected.');
    for (const reduceOnly of [true, 'true', 'TRUE']) {
      expect(await orders.place(orders.limit({ reduceOnly }))).toEqual(refusal);
    }
  });

  test('order: -2010 says that the market is halted', async () => {
    const other = await service.derivatives.nextMarket();
    await service.derivatives.setIndex(other, '100');
    const path = `/api/v1/admin/futures/markets/${other}/status`;
    await service.derivatives.admin('PUT', path, { status: 'halted' });
    expect(await orders.place(orders.limit({ symbol: other }))).toEqual(
      error(-2010, 'Market is halted.'),
    );
  });

  test('order: -1001, status 500, while the engine is busy; nothing is placed', async () => {
    service.spot.exchange.isBusy = true;
    const reply = await orders.place(orders.limit());
    service.spot.exchange.isBusy = false;
    expect(reply).toEqual(
      error(-1001, 'Internal error; unable to process your request. Please try again.', 500),
    );
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });
});

describe('POST /fapi/v1/order: accepted orders', () => {
  test('order: the answer has every field, its quantity truncated to the lot', async () => {
    const { body } = await orders.place(
      orders.limit({ newClientOrderId: 'mine.1:/_-', quantity: '1.5009' }),
    );
    expect(body).toEqual({
      orderId: expect.any(Number) as number,
      symbol,
      pair: symbol,
      status: 'NEW',
      clientOrderId: 'mine.1:/_-',
      price: '90',
      avgPrice: '0',
      origQty: '1.5',
      executedQty: '0',
      cumQty: '0',
      cumQuote: '0',
      timeInForce: 'GTC',
      type: 'LIMIT',
      reduceOnly: false,
      closePosition: false,
      side: 'BUY',
      positionSide: 'BOTH',
      stopPrice: '0',
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      origType: 'LIMIT',
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_TAKER',
      goodTillDate: 0,
      time: expect.any(Number) as number,
      updateTime: expect.any(Number) as number,
    });
    await orders.cancelAll();
  });

  test('order: an order without a client id gets one, and query finds it by that', async () => {
    const { clientOrderId, orderId } = await orders.placed(orders.limit());
    expect(clientOrderId).toMatch(/^[.A-Z:/a-z0-9_-]{1,36}$/);
    const query = { symbol, origClientOrderId: clientOrderId };
    expect(await service.done('GET', '/v1/order', trader, query)).toMatchObject({ orderId });
    await orders.cancelAll();
  });

  test('order: STOP_LIMIT and TAKE_PROFIT_LIMIT are STOP and TAKE_PROFIT', async () => {
    const stopLimit = await orders.placed(
      orders.stop({ type: 'STOP_LIMIT', price: 79, stopPrice: 80 }),
    );
    expect(stopLimit).toMatchObject({ type: 'STOP', stopPrice: '80', price: '79', status: 'NEW' });
    const profit = await orders.placed(
      orders.stop({ type: 'TAKE_PROFIT_LIMIT', price: 120, stopPrice: 119 }),
    );
    expect(profit).toMatchObject({ type: 'TAKE_PROFIT', stopPrice: '119', status: 'NEW' });
    await orders.cancelAll();
  });

  test('order: ACK returns the order as accepted, RESULT as it is after matching', async () => {
    const acknowledged = await orders.placed(orders.market());
    expect(acknowledged).toMatchObject({ status: 'NEW', executedQty: '0' });
    const result = await orders.placed(orders.market({ side: 'SELL', newOrderRespType: 'RESULT' }));
    expect(result).toMatchObject({
      status: 'FILLED',
      executedQty: '1',
      avgPrice: '99',
      cumQuote: '99',
      price: '0',
    });
    const killed = await orders.placed(
      orders.limit({ timeInForce: 'FOK', price: 101, quantity: 2000, newOrderRespType: 'RESULT' }),
    );
    expect(killed).toMatchObject({ status: 'EXPIRED', executedQty: '0' });
  });

  test('order: query and all-orders show the same stored average price', async () => {
    const other = await service.derivatives.nextMarket();
    await service.derivatives.setIndex(other, '100');
    service.derivatives.advanceTime();
    for (const price of [100, 101, 102]) {
      service.derivatives.place(maker, { symbol: other, side: 'sell', price, quantity: 1 });
    }
    const { orderId } = await orders.placed(orders.market({ symbol: other, quantity: 3 }));
    const order = await service.done<object>('GET', '/v1/order', trader, {
      symbol: other,
      orderId,
    });
    expect(order).toMatchObject({ avgPrice: '101', executedQty: '3', status: 'FILLED' });
    const all = await service.done<object[]>('GET', '/v1/allOrders', trader, { symbol: other });
    expect(all).toEqual([order]);
  });

  test('order: reduce-only is capped to the position, and exempt from MIN_NOTIONAL', async () => {
    await orders.placed(orders.market({ quantity: '0.051' }));
    const small = await orders.place(
      orders.market({
        side: 'SELL',
        quantity: '0.001',
        reduceOnly: 'true',
        newOrderRespType: 'RESULT',
      }),
    );
    expect(small.body).toMatchObject({ status: 'FILLED', executedQty: '0.001' });
    await orders.placed(orders.market({ side: 'SELL', quantity: 5, reduceOnly: true }));
    const [position] = await service.done<object[]>('GET', '/v2/positionRisk', trader, { symbol });
    expect(position).toMatchObject({ positionAmt: '0' });
    expect(
      await orders.place(orders.market({ side: 'SELL', quantity: 5, reduceOnly: true })),
    ).toEqual(error(-2022, 'ReduceOnly Order is rejected.'));
  });

  test('order: test checks like placing, and places nothing', async () => {
    const judge = (fields: OrderFields) => service.call('POST', '/v1/order/test', trader, fields);
    expect(await judge(orders.limit())).toEqual({ status: 200, body: {} });
    expect(await judge(orders.limit({ price: '90.05' }))).toEqual(filter('PRICE_FILTER'));
    expect(await judge(orders.limit({ side: 'HOLD' }))).toEqual(invalid('side'));
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });

  test('order: a form body and a JSON body are read like the query', async () => {
    const fields = Object.fromEntries(
      Object.entries(orders.limit()).map(([name, value]) => [name, String(value)]),
    );
    const form = await service.spot.postForm('/fapi/v1/order', trader, fields);
    expect(form.body).toMatchObject({ status: 'NEW', price: '90', origQty: '1' });
    const path = '/fapi/v1/order';
    const body = { ...orders.limit({ quantity: 2 }), closePosition: false };
    const json = await service.spot.callSigned({ method: 'POST', path, as: trader, body });
    expect(json.body).toMatchObject({ status: 'NEW', price: '90', origQty: '2' });
    await orders.cancelAll();
  });

  test('order: unknown parameters are ignored', async () => {
    await orders.placed(orders.limit({ useV2: true, recvWindow: 5000, foo: 'bar' }));
    await orders.cancelAll();
  });
});
