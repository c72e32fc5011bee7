import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// POST /fapi/v1/order/test makes all the checks of an order, and places nothing.

let service: FapiService;
let symbol: string;
let haltedSymbol: string;
let maker: Address;
let trader: Address;
let poor: Address;

beforeAll(async () => {
  service = await FapiService.open();
  const { derivatives } = service;
  symbol = await derivatives.nextMarket({ max_notional: '1000000' });
  haltedSymbol = await derivatives.nextMarket();
  for (const each of [symbol, haltedSymbol]) await derivatives.setIndex(each, '100');
  derivatives.advanceTime();
  maker = await derivatives.nextTrader();
  trader = await derivatives.nextTrader('5000');
  poor = await derivatives.nextTrader('1');
  derivatives.place(maker, { symbol, side: 'buy', price: 99, quantity: 1000 });
  derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 1000 });
  await place({
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    quantity: 1,
    price: 90,
    newClientOrderId: 'd',
  });
  await service.spot.call({
    method: 'PUT',
    path: `/api/v1/admin/futures/markets/${haltedSymbol}/status`,
    body: { status: 'halted' },
    isAdmin: true,
  });
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;

const place = (fields: Fields, as = trader) => service.call('POST', '/v1/order', as, fields);
const judge = (fields: Fields, as = trader) => service.call('POST', '/v1/order/test', as, fields);

const limit = { side: 'BUY', type: 'LIMIT', quantity: 1, price: 90 } as const;
const stop = { side: 'SELL', type: 'STOP_MARKET', quantity: 1, stopPrice: 80 } as const;

const refusals: readonly (readonly [code: number, why: string, fields: Fields])[] = [
  [-1102, 'a missing price', { ...limit, price: '' }],
  [-1100, 'a malformed quantity', { ...limit, quantity: 'x' }],
  [-1130, 'an unknown side', { ...limit, side: 'HOLD' }],
  [-1121, 'an unknown symbol', { ...limit, symbol: 'NOPEUSDT' }],
  [-1106, 'closePosition with a quantity', { ...stop, closePosition: true }],
  [-1013, 'PRICE_FILTER', { ...limit, price: '90.05' }],
  [-1013, 'LOT_SIZE', { ...limit, quantity: '0.0001' }],
  [-1013, 'MIN_NOTIONAL', { ...limit, quantity: '0.05' }],
  [-1013, 'MAX_NOTIONAL', { ...limit, quantity: '11112' }],
  [-2019, 'more margin than there is', { ...limit, quantity: '1200' }],
  [
    -2019,
    'a market order with more margin than there is',
    { ...limit, type: 'MARKET', quantity: 1000 },
  ],
  [-2010, 'GTX that would match', { ...limit, timeInForce: 'GTX', price: 101 }],
  [-2014, 'a client id of a live order', { ...limit, newClientOrderId: 'd' }],
  [-2021, 'a stop that would trigger', { ...stop, stopPrice: 120, workingType: 'MARK_PRICE' }],
  [-2022, 'reduce-only without a position', { ...limit, reduceOnly: true }],
  [-1013, 'MAX_NOTIONAL of a stop', { ...stop, quantity: 99999 }],
];

describe('POST /fapi/v1/order/test', () => {
  test.each(refusals)('test order: %i for %s, as the order itself', async (code, _why, change) => {
    const fields = { symbol, ...change };
    const judged = await judge(fields);
    expect(judged).toMatchObject({ status: 400, body: { code } });
    expect(judged).toEqual(await place(fields));
  });

  test('test order: a halted market and an account without money are refused like an order', async () => {
    const halted = { symbol: haltedSymbol, ...limit };
    const body = { code: -2010, msg: 'Market is halted.' };
    expect(await judge(halted)).toEqual({ status: 400, body });
    expect(await place(halted)).toEqual({ status: 400, body });
    const fields = { symbol, ...limit };
    const refused = { status: 400, body: { code: -2019, msg: 'Margin is insufficient.' } };
    expect(await judge(fields, poor)).toEqual(refused);
    expect(await place(fields, poor)).toEqual(refused);
  });

  test('test order: an acceptable order answers {} and leaves no trace', async () => {
    const state = async () => [
      await service.done('GET', '/v3/account', trader),
      await service.done('GET', '/v1/openOrders', trader, { symbol }),
      service.spot.exchange.engine.stateHash(),
    ];
    const withoutTime = (text: unknown) => JSON.stringify(text).replace(/"updateTime":\d+/g, '');
    const before = withoutTime(await state());
    for (const change of [limit, stop, { ...limit, type: 'MARKET' }, { ...limit, price: 105 }]) {
      expect(await judge({ symbol, ...change })).toEqual({ status: 200, body: {} });
    }
    expect(withoutTime(await state())).toBe(before);
  });
});
