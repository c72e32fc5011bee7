import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// The answer to a new order is written by its schema, all others value by value: both say the same.

let service: FapiService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  const { derivatives } = service;
  symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  trader = await derivatives.nextTrader();
});
afterAll(() => service.close());

const clientIds = ['a', '.A-Z:/a-z0-9_-', 'x'.repeat(36), undefined];

test.each([
  { type: 'LIMIT', timeInForce: 'GTC', price: '90.5' },
  { type: 'LIMIT', timeInForce: 'GTX', price: '90', reduceOnly: 'false' },
  { type: 'LIMIT', timeInForce: 'GTC', priceMatch: 'NONE', price: '80' },
  { type: 'STOP', price: '120', stopPrice: '110', workingType: 'MARK_PRICE' },
  { type: 'STOP_MARKET', stopPrice: '110', priceProtect: 'true' },
  { type: 'TRAILING_STOP_MARKET', callbackRate: '0.5', activationPrice: '95' },
  { type: 'TRAILING_STOP_MARKET', callbackRate: '1' },
])(
  'order: the answer to a new $type has the fields and values of the queried order',
  async (fields) => {
    for (const newClientOrderId of clientIds) {
      const placed = await service.done<{ orderId: number }>('POST', '/v1/order', trader, {
        symbol,
        side: 'BUY',
        quantity: 1,
        ...fields,
        ...(newClientOrderId === undefined ? {} : { newClientOrderId }),
      });
      const { orderId } = placed;
      expect(placed).toEqual(
        await service.done('GET', '/v1/openOrder', trader, { symbol, orderId }),
      );
      expect(placed).toMatchObject(
        newClientOrderId === undefined ? {} : { clientOrderId: newClientOrderId },
      );
      const canceled = await service.done('DELETE', '/v1/order', trader, { symbol, orderId });
      // From now on the order is read from the database, which fills in what most orders have.
      expect(await service.done('GET', '/v1/order', trader, { symbol, orderId })).toEqual(canceled);
    }
  },
);
