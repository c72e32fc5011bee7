import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, filter, illegal, invalid, mandatory } from '../support/fapi-errors.ts';
import { FapiOrders, type OrderFields } from '../support/fapi-orders.ts';
import type { FapiService } from '../support/fapi-service.ts';

// Amending and canceling orders of /fapi: each row of the error table with its status, code and
// message, and the answers in Binance's words.

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

describe('PUT /fapi/v1/order', () => {
  const amend = (fields: OrderFields) =>
    service.call('PUT', '/v1/order', trader, { symbol, ...fields });

  test('amend: price and quantity change under the same orderId; side may be left out', async () => {
    const { orderId } = await orders.placed(orders.limit());
    expect((await amend({ orderId, quantity: 2, price: 91 })).body).toMatchObject({
      orderId,
      price: '91',
      origQty: '2',
      status: 'NEW',
      side: 'BUY',
    });
    expect(await service.done('GET', '/v1/openOrders', trader, { symbol })).toHaveLength(1);
    await orders.cancelAll();
  });

  test('amend: a refused amendment leaves the order untouched', async () => {
    const { orderId } = await orders.placed(orders.limit());
    expect(await amend({ orderId, quantity: '0.01', price: 90 })).toEqual(filter('MIN_NOTIONAL'));
    expect(await amend({ orderId, quantity: 1, price: '90.01' })).toEqual(filter('PRICE_FILTER'));
    expect(await amend({ orderId, side: 'SELL', quantity: 2, price: 90 })).toEqual(invalid('side'));
    const order = await service.done('GET', '/v1/openOrder', trader, { symbol, orderId });
    expect(order).toMatchObject({ price: '90', origQty: '1', status: 'NEW' });
    await orders.cancelAll();
  });

  test('amend: -1102 without an order, a quantity or a price', async () => {
    expect(await amend({ quantity: 1, price: 90 })).toEqual(mandatory('orderId'));
    expect(await amend({ orderId: 1, price: 90 })).toEqual(mandatory('quantity'));
    expect(await amend({ orderId: 1, quantity: 1 })).toEqual(mandatory('price'));
  });

  test('amend: -2013 for an order that is absent, ended, or of another account', async () => {
    const gone = error(-2013, 'Order does not exist.');
    const { orderId } = await orders.placed(orders.limit());
    const foreign = await service.call('PUT', '/v1/order', maker, {
      symbol,
      orderId,
      quantity: 1,
      price: 91,
    });
    expect(foreign).toEqual(gone);
    await orders.cancelAll();
    expect(await amend({ orderId, quantity: 1, price: 91 })).toEqual(gone);
    expect(await amend({ orderId: 9_999_999, quantity: 1, price: 91 })).toEqual(gone);
  });

  test('amend: a trigger order that waits cannot be modified', async () => {
    const { orderId } = await orders.placed(orders.stop());
    expect(await amend({ orderId, quantity: 1, price: 91 })).toEqual(
      error(-2013, 'Order does not exist.'),
    );
    await orders.cancelAll();
  });

  test('amend: the amendments of an order are listed', async () => {
    const { orderId } = await orders.placed(orders.limit());
    await amend({ orderId, quantity: 2, price: 91 });
    expect(await service.done('GET', '/v1/orderAmendment', trader, { symbol, orderId })).toEqual([
      {
        amendmentId: expect.any(Number) as number,
        symbol,
        pair: symbol,
        orderId,
        clientOrderId: expect.any(String) as string,
        time: expect.any(Number) as number,
        amendment: {
          price: { before: '90', after: '91' },
          origQty: { before: '1', after: '2' },
          count: 1,
        },
      },
    ]);
    await orders.cancelAll();
  });
});

describe('DELETE /fapi/v1/order and its like', () => {
  const unknown = error(-2011, 'Unknown order sent.');

  test('cancel: answers the canceled order, by number or by client id', async () => {
    const first = await orders.placed(orders.limit());
    const second = await orders.placed(orders.limit({ newClientOrderId: 'by-name' }));
    const byNumber = { symbol, orderId: first.orderId };
    expect(await service.done('DELETE', '/v1/order', trader, byNumber)).toMatchObject({
      orderId: first.orderId,
      status: 'CANCELED',
    });
    const byName = { symbol, origClientOrderId: 'by-name' };
    expect(await service.done('DELETE', '/v1/order', trader, byName)).toMatchObject({
      orderId: second.orderId,
      clientOrderId: 'by-name',
      status: 'CANCELED',
    });
    expect(await service.call('DELETE', '/v1/order', trader, byName)).toEqual(unknown);
  });

  test("cancel: -2011 for an unknown, ended or another account's order, -1102 without one", async () => {
    const { orderId } = await orders.placed(orders.limit());
    const cancel = (fields: OrderFields, as = trader) =>
      service.call('DELETE', '/v1/order', as, { symbol, ...fields });
    expect(await cancel({ orderId }, maker)).toEqual(unknown);
    expect(await cancel({ orderId: 9_999_999 })).toEqual(unknown);
    expect(await cancel({})).toEqual(mandatory('orderId'));
    expect(await cancel({ orderId: 'x' })).toEqual(illegal('orderId'));
    await orders.cancelAll();
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
    await orders.placed(orders.limit());
    await orders.placed(orders.stop());
    expect(await available()).not.toBe(before);
    expect(await orders.cancelAll()).toEqual({
      code: 200,
      msg: 'The operation of cancel all open order is done.',
    });
    expect(await available()).toBe(before);
    expect(await service.done('GET', '/v1/openOrders', trader)).toEqual([]);
  });

  test('countdown: 0 stops it; the time comes back as text; -1102 without it', async () => {
    const call = (fields: OrderFields) =>
      service.call('POST', '/v1/countdownCancelAll', trader, { symbol, ...fields });
    expect(await call({ countdownTime: 120_000 })).toEqual({
      status: 200,
      body: { symbol, countdownTime: '120000' },
    });
    expect((await call({ countdownTime: 0 })).body).toEqual({ symbol, countdownTime: '0' });
    expect(await call({})).toEqual(mandatory('countdownTime'));
  });
});
