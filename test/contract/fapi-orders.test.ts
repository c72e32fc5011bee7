import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, filter, illegal, invalid, mandatory, notRequired } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// Placing, amending and canceling orders of /fapi: each row of the error table with its status,
// code and message, and the answers in Binance's words.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket({ max_notional: '1000000' });
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader();
  // What rests throughout: bids at 99, offers at 101.
  service.derivatives.place(maker, { symbol, side: 'buy', price: 99, quantity: 1000 });
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 1000 });
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;

const limit = (change: Fields = {}): Fields => ({
  ...{ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: 1, price: 90 },
  ...change,
});
const market = (change: Fields = {}): Fields => ({
  ...{ symbol, side: 'BUY', type: 'MARKET', quantity: 1 },
  ...change,
});
const stop = (change: Fields = {}): Fields => ({
  ...{ symbol, side: 'SELL', type: 'STOP_MARKET', quantity: 1, stopPrice: 80 },
  ...change,
});
const place = (fields: Fields, as = trader) => service.call('POST', '/v1/order', as, fields);
interface PlacedOrder {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
}
const placed = (fields: Fields, as = trader) =>
  service.done<PlacedOrder>('POST', '/v1/order', as, fields);
const cancelAll = (as = trader) => service.done('DELETE', '/v1/allOpenOrders', as, { symbol });

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
describe('POST /fapi/v1/order: what is refused', () => {
  test('order: -1102 for each mandatory field that is missing, empty or undefined', async () => {
    for (const name of ['symbol', 'side', 'type', 'quantity', 'price']) {
      expect(await place(without(limit(), name))).toEqual(mandatory(name));
      expect(await place({ ...limit(), [name]: '' })).toEqual(mandatory(name));
      expect(await place({ ...limit(), [name]: 'undefined' })).toEqual(mandatory(name));
    }
    expect(await place(without(stop(), 'stopPrice'))).toEqual(mandatory('stopPrice'));
  });

  test('order: -1102 for GTD on a regular order', async () => {
    const goodTillDate = Date.now() + 3_600_000;
    expect(await place(limit({ timeInForce: 'GTD', goodTillDate }))).toEqual(
      mandatory('timeInForce'),
    );
  });

  test('order: -1100 for malformed and non-positive numbers', async () => {
    for (const value of ['x', '1e3', '-1', '0', '+1', '0x10', 'NaN', '1,5', ' 1']) {
      expect(await place(limit({ quantity: value }))).toEqual(illegal('quantity'));
      expect(await place(limit({ price: value }))).toEqual(illegal('price'));
      expect(await place(stop({ stopPrice: value }))).toEqual(illegal('stopPrice'));
    }
    expect(await place(limit({ reduceOnly: 'maybe' }))).toEqual(illegal('reduceOnly'));
  });

  test('order: -1100 for a newClientOrderId of 37 characters or with illegal ones', async () => {
    for (const value of ['a'.repeat(37), 'a b', 'a#', 'ä']) {
      expect(await place(limit({ newClientOrderId: value }))).toEqual(illegal('newClientOrderId'));
    }
  });

  test('order: -1130 for an unknown side or type, and for a positionSide other than BOTH', async () => {
    expect(await place(limit({ side: 'HOLD' }))).toEqual(invalid('side'));
    expect(await place(limit({ side: 'buy' }))).toEqual(invalid('side'));
    expect(await place(limit({ type: 'ICEBERG' }))).toEqual(invalid('type'));
    expect(await place(limit({ positionSide: 'LONG' }))).toEqual(invalid('positionSide'));
    expect(await place(limit({ timeInForce: 'DAY' }))).toEqual(invalid('timeInForce'));
    expect(await place(limit({ workingType: 'INDEX' }))).toEqual(invalid('workingType'));
    expect(await place(limit({ newOrderRespType: 'FULL' }))).toEqual(invalid('newOrderRespType'));
  });

  test('order: -1121 for an unknown symbol', async () => {
    expect(await place(limit({ symbol: 'NOPEUSDT' }))).toEqual(error(-1121, 'Invalid symbol.'));
  });

  test('order: -1106 for closePosition beside reduceOnly or quantity, or on another type', async () => {
    const close = without(stop({ closePosition: true }), 'quantity');
    expect(await place({ ...close, reduceOnly: true })).toEqual(notRequired('reduceOnly'));
    expect(await place({ ...close, quantity: 1 })).toEqual(notRequired('quantity'));
    for (const type of ['LIMIT', 'MARKET', 'STOP', 'TRAILING_STOP_MARKET']) {
      expect(await place({ ...close, price: 80, type })).toEqual(notRequired('closePosition'));
    }
  });

  test('order: -1013 names the filter', async () => {
    expect(await place(limit({ price: '90.05' }))).toEqual(filter('PRICE_FILTER'));
    expect(await place(limit({ quantity: '0.0009' }))).toEqual(filter('LOT_SIZE'));
    expect(await place(limit({ quantity: '0.055' }))).toEqual(filter('MIN_NOTIONAL'));
    expect(await place(limit({ quantity: '11112' }))).toEqual(filter('MAX_NOTIONAL'));
    expect(await place(market({ quantity: '0.01' }))).toEqual(filter('MIN_NOTIONAL'));
  });

  test('order: -2010 for a GTX order that would match at once', async () => {
    expect(await place(limit({ timeInForce: 'GTX', price: 101 }))).toEqual(
      error(-2010, 'Order would immediately match and take.'),
    );
  });

  test('order: -2014 while another active order uses the newClientOrderId', async () => {
    await placed(limit({ newClientOrderId: 'twice' }));
    expect(await place(limit({ newClientOrderId: 'twice' }))).toEqual(
      error(-2014, 'Client order id is duplicated.'),
    );
    await cancelAll();
    expect((await placed(limit({ newClientOrderId: 'twice' }))).clientOrderId).toBe('twice');
    await cancelAll();
  });

  test('order: -2019 without the margin', async () => {
    const poor = await service.derivatives.nextTrader('1');
    expect(await place(limit(), poor)).toEqual(error(-2019, 'Margin is insufficient.'));
  });

  test('order: -2021 where the trigger is met already', async () => {
    const met = error(-2021, 'Order would immediately trigger.');
    const mark = { workingType: 'MARK_PRICE' };
    expect(await place(stop({ ...mark, stopPrice: 100 }))).toEqual(met);
    expect(await place(stop({ ...mark, side: 'BUY', stopPrice: 100 }))).toEqual(met);
    const takeProfit = { ...mark, type: 'TAKE_PROFIT_MARKET' };
    expect(await place(stop({ ...takeProfit, stopPrice: 99 }))).toEqual(met);
    expect(await place(stop({ ...takeProfit, side: 'BUY', stopPrice: 101 }))).toEqual(met);
  });

  test('order: -2022 for reduce-only without an opposite position', async () => {
    const refusal = error(-2022, 'ReduceOnly Order is rejected.');
    for (const reduceOnly of [true, 'true', 'TRUE']) {
      expect(await place(limit({ reduceOnly }))).toEqual(refusal);
    }
  });

  test('order: -2010 says that the market is halted', async () => {
    const other = await service.derivatives.nextMarket();
    await service.derivatives.setIndex(other, '100');
    const path = `/api/v1/admin/futures/markets/${other}/status`;
    await service.derivatives.admin('PUT', path, { status: 'halted' });
    expect(await place(limit({ symbol: other }))).toEqual(error(-2010, 'Market is halted.'));
  });

  test('order: -1001, status 500, while the engine is busy; nothing is placed', async () => {
    service.spot.exchange.isBusy = true;
    const reply = await place(limit());
    service.spot.exchange.isBusy = false;
    expect(reply).toEqual(
      error(-1001, 'Internal error; unable to process your request. Please try again.', 500),
    );
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });
});

describe('POST /fapi/v1/order: what is taken', () => {
  test('order: is answered with every field, its quantity cut down to the lot', async () => {
    const { body } = await place(limit({ newClientOrderId: 'mine.1:/_-', quantity: '1.5009' }));
    expect(body).toEqual({
      ...{ orderId: expect.any(Number) as number, symbol, pair: symbol, status: 'NEW' },
      ...{ clientOrderId: 'mine.1:/_-', price: '90', avgPrice: '0', origQty: '1.5' },
      ...{ executedQty: '0', cumQty: '0', cumQuote: '0', timeInForce: 'GTC', type: 'LIMIT' },
      ...{ reduceOnly: false, closePosition: false, side: 'BUY', positionSide: 'BOTH' },
      ...{ stopPrice: '0', workingType: 'CONTRACT_PRICE', priceProtect: false },
      ...{ origType: 'LIMIT', priceMatch: 'NONE', selfTradePreventionMode: 'EXPIRE_TAKER' },
      ...{ goodTillDate: 0, time: expect.any(Number) as number },
      updateTime: expect.any(Number) as number,
    });
    await cancelAll();
  });

  test('order: an order without a client id gets one, and query finds it by that', async () => {
    const { clientOrderId, orderId } = await placed(limit());
    expect(clientOrderId).toMatch(/^[.A-Z:/a-z0-9_-]{1,36}$/);
    const query = { symbol, origClientOrderId: clientOrderId };
    expect(await service.done('GET', '/v1/order', trader, query)).toMatchObject({ orderId });
    await cancelAll();
  });

  test('order: STOP_LIMIT and TAKE_PROFIT_LIMIT are STOP and TAKE_PROFIT', async () => {
    const stopLimit = await placed(stop({ type: 'STOP_LIMIT', price: 79, stopPrice: 80 }));
    expect(stopLimit).toMatchObject({ type: 'STOP', stopPrice: '80', price: '79', status: 'NEW' });
    const profit = await placed(stop({ type: 'TAKE_PROFIT_LIMIT', price: 120, stopPrice: 119 }));
    expect(profit).toMatchObject({ type: 'TAKE_PROFIT', stopPrice: '119', status: 'NEW' });
    await cancelAll();
  });

  test('order: ACK answers the order as it was taken, RESULT as it stands', async () => {
    const acknowledged = await placed(market());
    expect(acknowledged).toMatchObject({ status: 'NEW', executedQty: '0' });
    const result = await placed(market({ side: 'SELL', newOrderRespType: 'RESULT' }));
    expect(result).toMatchObject({
      ...{ status: 'FILLED', executedQty: '1', avgPrice: '99', cumQuote: '99', price: '0' },
    });
    const killed = await placed(
      limit({ timeInForce: 'FOK', price: 101, quantity: 2000, newOrderRespType: 'RESULT' }),
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
    const { orderId } = await placed(market({ symbol: other, quantity: 3 }));
    const order = await service.done<object>('GET', '/v1/order', trader, {
      symbol: other,
      orderId,
    });
    expect(order).toMatchObject({ avgPrice: '101', executedQty: '3', status: 'FILLED' });
    const all = await service.done<object[]>('GET', '/v1/allOrders', trader, { symbol: other });
    expect(all).toEqual([order]);
  });

  test('order: reduce-only is capped to the position, and exempt from MIN_NOTIONAL', async () => {
    await placed(market({ quantity: '0.051' }));
    const small = await place(
      market({ side: 'SELL', quantity: '0.001', reduceOnly: 'true', newOrderRespType: 'RESULT' }),
    );
    expect(small.body).toMatchObject({ status: 'FILLED', executedQty: '0.001' });
    await placed(market({ side: 'SELL', quantity: 5, reduceOnly: true }));
    const [position] = await service.done<object[]>('GET', '/v2/positionRisk', trader, { symbol });
    expect(position).toMatchObject({ positionAmt: '0' });
    expect(await place(market({ side: 'SELL', quantity: 5, reduceOnly: true }))).toEqual(
      error(-2022, 'ReduceOnly Order is rejected.'),
    );
  });

  test('order: test judges as placing does, and places nothing', async () => {
    const judge = (fields: Fields) => service.call('POST', '/v1/order/test', trader, fields);
    expect(await judge(limit())).toEqual({ status: 200, body: {} });
    expect(await judge(limit({ price: '90.05' }))).toEqual(filter('PRICE_FILTER'));
    expect(await judge(limit({ side: 'HOLD' }))).toEqual(invalid('side'));
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toEqual([]);
  });

  test('order: a form body and a JSON body are read as the query is', async () => {
    const fields = Object.fromEntries(
      Object.entries(limit()).map(([name, value]) => [name, String(value)]),
    );
    const form = await service.spot.postForm('/fapi/v1/order', trader, fields);
    expect(form.body).toMatchObject({ status: 'NEW', price: '90', origQty: '1' });
    const path = '/fapi/v1/order';
    const body = { ...limit({ quantity: 2 }), closePosition: false };
    const json = await service.spot.callSigned({ method: 'POST', path, as: trader, body });
    expect(json.body).toMatchObject({ status: 'NEW', price: '90', origQty: '2' });
    await cancelAll();
  });

  test('order: what is unknown is ignored', async () => {
    await placed(limit({ useV2: true, recvWindow: 5000, foo: 'bar' }));
    await cancelAll();
  });
});

describe('PUT /fapi/v1/order', () => {
  const amend = (fields: Fields) => service.call('PUT', '/v1/order', trader, { symbol, ...fields });

  test('amend: price and quantity change under the same orderId; side may be left out', async () => {
    const { orderId } = await placed(limit());
    expect((await amend({ orderId, quantity: 2, price: 91 })).body).toMatchObject({
      ...{ orderId, price: '91', origQty: '2', status: 'NEW', side: 'BUY' },
    });
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toHaveLength(1);
    await cancelAll();
  });

  test('amend: what cannot be re-placed leaves the order untouched', async () => {
    const { orderId } = await placed(limit());
    expect(await amend({ orderId, quantity: '0.01', price: 90 })).toEqual(filter('MIN_NOTIONAL'));
    expect(await amend({ orderId, quantity: 1, price: '90.01' })).toEqual(filter('PRICE_FILTER'));
    expect(await amend({ orderId, side: 'SELL', quantity: 2, price: 90 })).toEqual(invalid('side'));
    const order = await service.done('GET', '/v1/openOrder', trader, { symbol, orderId });
    expect(order).toMatchObject({ price: '90', origQty: '1', status: 'NEW' });
    await cancelAll();
  });

  test('amend: -1102 without an order, a quantity or a price', async () => {
    expect(await amend({ quantity: 1, price: 90 })).toEqual(mandatory('orderId'));
    expect(await amend({ orderId: 1, price: 90 })).toEqual(mandatory('quantity'));
    expect(await amend({ orderId: 1, quantity: 1 })).toEqual(mandatory('price'));
  });

  test('amend: -2013 for an order that is absent, ended, or of another account', async () => {
    const gone = error(-2013, 'Order does not exist.');
    const { orderId } = await placed(limit());
    const foreign = await service.call('PUT', '/v1/order', maker, {
      ...{ symbol, orderId, quantity: 1, price: 91 },
    });
    expect(foreign).toEqual(gone);
    await cancelAll();
    expect(await amend({ orderId, quantity: 1, price: 91 })).toEqual(gone);
    expect(await amend({ orderId: 9_999_999, quantity: 1, price: 91 })).toEqual(gone);
  });

  test('amend: a trigger order that waits cannot be modified', async () => {
    const { orderId } = await placed(stop());
    expect(await amend({ orderId, quantity: 1, price: 91 })).toEqual(
      error(-2013, 'Order does not exist.'),
    );
    await cancelAll();
  });

  test('amend: the amendments of an order are listed', async () => {
    const { orderId } = await placed(limit());
    await amend({ orderId, quantity: 2, price: 91 });
    expect(await service.done('GET', '/v1/orderAmendment', trader, { symbol, orderId })).toEqual([
      {
        ...{ amendmentId: expect.any(Number) as number, symbol, pair: symbol, orderId },
        ...{ clientOrderId: expect.any(String) as string, time: expect.any(Number) as number },
        amendment: {
          price: { before: '90', after: '91' },
          origQty: { before: '1', after: '2' },
          count: 1,
        },
      },
    ]);
    await cancelAll();
  });
});

describe('DELETE /fapi/v1/order and its like', () => {
  const unknown = error(-2011, 'Unknown order sent.');

  test('cancel: answers the canceled order, by number or by client id', async () => {
    const first = await placed(limit());
    const second = await placed(limit({ newClientOrderId: 'by-name' }));
    const byNumber = { symbol, orderId: first.orderId };
    expect(await service.done('DELETE', '/v1/order', trader, byNumber)).toMatchObject({
      ...{ orderId: first.orderId, status: 'CANCELED' },
    });
    const byName = { symbol, origClientOrderId: 'by-name' };
    expect(await service.done('DELETE', '/v1/order', trader, byName)).toMatchObject({
      ...{ orderId: second.orderId, clientOrderId: 'by-name', status: 'CANCELED' },
    });
    expect(await service.call('DELETE', '/v1/order', trader, byName)).toEqual(unknown);
  });

  test("cancel: -2011 for an unknown, ended or another account's order, -1102 without one", async () => {
    const { orderId } = await placed(limit());
    const cancel = (fields: Fields, as = trader) =>
      service.call('DELETE', '/v1/order', as, { symbol, ...fields });
    expect(await cancel({ orderId }, maker)).toEqual(unknown);
    expect(await cancel({ orderId: 9_999_999 })).toEqual(unknown);
    expect(await cancel({})).toEqual(mandatory('orderId'));
    expect(await cancel({ orderId: 'x' })).toEqual(illegal('orderId'));
    await cancelAll();
    expect(await cancel({ orderId })).toEqual(unknown);
  });

  test('cancel-all: frozen margin is released, trigger orders go too', async () => {
    const available = async () => {
      const account = await service.done<{ availableBalance: string }>(
        ...(['GET', '/v3/account', trader] as const),
      );
      return account.availableBalance;
    };
    const before = await available();
    await placed(limit());
    await placed(stop());
    expect(await available()).not.toBe(before);
    expect(await cancelAll()).toEqual({
      code: 200,
      msg: 'The operation of cancel all open order is done.',
    });
    expect(await available()).toBe(before);
    expect(await service.done('GET', '/v1/openOrders', trader)).toEqual([]);
  });

  test('countdown: 0 stops it; the time comes back as text; -1102 without it', async () => {
    const call = (fields: Fields) =>
      service.call('POST', '/v1/countdownCancelAll', trader, { symbol, ...fields });
    expect(await call({ countdownTime: 120_000 })).toEqual({
      status: 200,
      body: { symbol, countdownTime: '120000' },
    });
    expect((await call({ countdownTime: 0 })).body).toEqual({ symbol, countdownTime: '0' });
    expect(await call({})).toEqual(mandatory('countdownTime'));
  });
});
