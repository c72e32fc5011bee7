import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { filter, mandatory, notRequired } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// What parameters of /fapi may hold, and how they come back.

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  symbol = await service.derivatives.nextMarket();
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader();
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 10 });
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;
const place = (fields: Fields) =>
  service.call('POST', '/v1/order', trader, { symbol, side: 'BUY', quantity: 1, ...fields });
const algo = (fields: Fields) =>
  service.call('POST', '/v1/algoOrder', trader, {
    algoType: 'CONDITIONAL',
    symbol,
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: 1,
    triggerPrice: 80,
    ...fields,
  });

describe('mandatory parameters', () => {
  test.each(['x', '-1', '1.5', ''])(
    'countdownTime %j: malformed is -1102',
    async (countdownTime) => {
      const fields = { symbol, countdownTime };
      const reply = await service.call('POST', '/v1/countdownCancelAll', trader, fields);
      expect(reply).toEqual(mandatory('countdownTime'));
    },
  );

  test('multiAssetsMargin: malformed is -1102', async () => {
    const fields = { multiAssetsMargin: 'maybe' };
    const reply = await service.call('POST', '/v1/multiAssetsMargin', trader, fields);
    expect(reply).toEqual(mandatory('multiAssetsMargin'));
  });
});

describe('timeInForce of orders without a limit', () => {
  test('a MARKET order is GTC unless another value is sent, which is returned', async () => {
    const result = { type: 'MARKET', newOrderRespType: 'RESULT' };
    expect(await place(result)).toMatchObject({ body: { status: 'FILLED', timeInForce: 'GTC' } });
    for (const timeInForce of ['GTC', 'IOC', 'FOK']) {
      const { body } = await place({ ...result, timeInForce });
      expect(body).toMatchObject({ status: 'FILLED', timeInForce });
      const { orderId } = body as { orderId: number };
      const stored = await service.done('GET', '/v1/order', trader, { symbol, orderId });
      expect(stored).toMatchObject({ timeInForce });
    }
  });

  test('a MARKET order with FOK that the book cannot fill completely trades nothing', async () => {
    const { body } = await place({
      type: 'MARKET',
      timeInForce: 'FOK',
      quantity: 50,
      newOrderRespType: 'RESULT',
    });
    expect(body).toMatchObject({ status: 'EXPIRED', executedQty: '0' });
  });

  test('a STOP_MARKET order is GTC, as in the example of the algo object', async () => {
    expect(await algo({})).toMatchObject({ status: 200, body: { timeInForce: 'GTC' } });
  });

  test('GTX is -1106, as an order without a limit can only take', async () => {
    const refusal = notRequired('timeInForce');
    expect(await place({ type: 'MARKET', timeInForce: 'GTX' })).toEqual(refusal);
    expect(await algo({ timeInForce: 'GTX' })).toEqual(refusal);
  });
});

describe('PRICE_FILTER and LOT_SIZE', () => {
  interface Filters {
    readonly symbols: readonly { readonly filters: readonly Fields[] }[];
  }
  const readFilter = async (name: string): Promise<Fields> => {
    const { body } = await service.read('/v1/exchangeInfo');
    const filters = (body as Filters).symbols[0]?.filters ?? [];
    return filters.find(({ filterType }) => filterType === name) ?? {};
  };

  test('a price above maxPrice and a quantity above maxQty are -1013', async () => {
    expect(await readFilter('PRICE_FILTER')).toMatchObject({ maxPrice: '1000000000' });
    expect(await readFilter('LOT_SIZE')).toMatchObject({ maxQty: '1000000000' });
    const price = '1000000000.1';
    expect(await place({ type: 'LIMIT', price })).toEqual(filter('PRICE_FILTER'));
    expect(await algo({ triggerPrice: price })).toEqual(filter('PRICE_FILTER'));
    const quantity = '1000000000.001';
    expect(await place({ type: 'LIMIT', price: '0.1', quantity })).toEqual(filter('LOT_SIZE'));
  });

  test("no maxQty exceeds the engine's range", async () => {
    const small = {
      symbol: 'SMALLUSDT',
      base_asset: 'SMALL',
      tick_size: '1',
      lot_size: '0.00000001',
    };
    const { status } = await service.spot.call({
      method: 'POST',
      path: '/api/v1/admin/futures/markets',
      isAdmin: true,
      body: {
        ...small,
        min_notional: '5',
        max_notional: '1000000',
        max_leverage: 100,
        maintenance_margin_rate: '0.004',
        maker_fee_bps: 2,
        taker_fee_bps: 5,
      },
    });
    expect(status).toBe(200);
    const { body } = await service.read('/v1/exchangeInfo');
    const market = (body as Filters).symbols.at(-1);
    expect(market?.filters[1]).toMatchObject({ maxQty: '90071992.54740991' });
  });
});
