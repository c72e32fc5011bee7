import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { error, illegal } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// What an amendment of /fapi changes and keeps besides price and quantity.

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
interface PlacedOrder {
  readonly orderId: number;
}

const placed = () =>
  service.done<PlacedOrder>('POST', '/v1/order', trader, {
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1,
    price: 90,
  });
const amend = (fields: Fields) => service.call('PUT', '/v1/order', trader, { symbol, ...fields });

describe('amendments of /fapi', () => {
  test('amend: modifyId comes back, and reduceOnly is the order’s own', async () => {
    const { orderId } = await placed();
    const change = { orderId, quantity: 2, price: 91 };
    expect((await amend({ ...change, modifyId: 42, reduceOnly: false })).body).toMatchObject({
      orderId,
      price: '91',
      reduceOnly: false,
      modifyId: 42,
    });
    expect(await amend({ ...change, price: 92, modifyId: 'x' })).toEqual(illegal('modifyId'));
    expect(await amend({ ...change, price: 92, reduceOnly: true })).toEqual(
      error(-1128, 'Combination of optional parameters invalid.'),
    );
    const history = await service.done('GET', '/v1/orderAmendment', trader, { symbol, orderId });
    expect(history).toMatchObject([{ orderId }]);
    expect(JSON.stringify(history)).not.toContain('modifyId');
    const order = await service.done('GET', '/v1/openOrder', trader, { symbol, orderId });
    expect(order).toMatchObject({ price: '91', reduceOnly: false });
  });

  test('amend: 50 amendments of an order are listed, at most 100, each with its count', async () => {
    const { orderId } = await placed();
    for (let count = 1; count <= 101; count += 1) {
      service.derivatives.apply({
        type: 'amendFuturesOrder',
        accountId: service.derivatives.accountOf(trader),
        orderNumber: orderId as never,
        side: null,
        priceMatch: 'none',
        price: (800 + count) as never,
        quantity: 1_000 as never,
        modifyId: null,
      });
    }
    interface Amended {
      readonly time: number;
      readonly amendment: { readonly count: number; readonly price: object };
    }
    const list = (fields: Fields) =>
      service.done<Amended[]>('GET', '/v1/orderAmendment', trader, { symbol, orderId, ...fields });
    const counts = async (fields: Fields) =>
      (await list(fields)).map(({ amendment }) => amendment.count);
    const from = (first: number, length: number) =>
      Array.from({ length }, (_none, at) => first + at);
    expect(await counts({})).toEqual(from(52, 50));
    expect(await counts({ limit: 100 })).toEqual(from(2, 100));
    expect(await counts({ limit: 2 })).toEqual([100, 101]);
    expect(await counts({ startTime: 1, limit: 2 })).toEqual([1, 2]);
    expect(await counts({ endTime: 1 })).toEqual([]);
    expect((await list({ limit: 1 }))[0]?.amendment.price).toEqual({ before: '90', after: '90.1' });
    const path = '/v1/orderAmendment';
    for (const limit of ['x', '101']) {
      const malformed = await service.call('GET', path, trader, { symbol, orderId, limit });
      expect(malformed).toEqual(illegal('limit'));
    }
  });
});
