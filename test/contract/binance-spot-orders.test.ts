import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { BinanceSpotService, type SpotFields } from '../support/binance-spot-service.ts';
import { restOrders } from '../support/spot-fixtures.ts';

// Orders of /api/v3 in the words of Binance's spot. Every answer is also held against the served
// OpenAPI document.

let service: BinanceSpotService;
let symbol: string;
let base: string;
let maker: Address;
let trader: Address;

interface Placed {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
}

beforeAll(async () => {
  service = await BinanceSpotService.open();
  symbol = await service.nextMarket();
  base = symbol.replace('USDT', '');
  maker = await service.nextTrader(symbol);
  trader = await service.nextTrader(symbol);
});
afterAll(() => service.close());

const limit = (change: SpotFields = {}): SpotFields => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 1,
  price: 90,
  ...change,
});
const market = (change: SpotFields = {}): SpotFields => ({
  symbol,
  side: 'BUY',
  type: 'MARKET',
  ...change,
});
const place = (fields: SpotFields, as = trader) => service.call('POST', '/order', as, fields);
const placed = (fields: SpotFields, as = trader) =>
  service.done<Placed>('POST', '/order', as, fields);
const refusal = (code: number, msg: string, status = 400) => ({ status, body: { code, msg } });
const without = (fields: SpotFields, name: string): SpotFields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name));
const unknownOrder = refusal(-2011, 'Unknown order sent.');

describe('POST /api/v3/order', () => {
  test('a LIMIT order is answered FULL, and is read, listed and canceled by either name', async () => {
    const name = 'mine-1';
    const taken = await placed(limit({ newClientOrderId: name }));
    expect(taken).toMatchObject({
      symbol,
      orderListId: -1,
      clientOrderId: name,
      price: '90',
      origQty: '1',
      executedQty: '0',
      cummulativeQuoteQty: '0',
      status: 'NEW',
      timeInForce: 'GTC',
      type: 'LIMIT',
      side: 'BUY',
      fills: [],
    });
    const { orderId } = taken;
    const read = await service.done('GET', '/order', trader, { symbol, origClientOrderId: name });
    expect(read).toMatchObject({ orderId, status: 'NEW', isWorking: true, stopPrice: '0' });
    expect(await service.done('GET', '/openOrders', trader, { symbol })).toEqual([read]);
    const canceled = await service.done('DELETE', '/order', trader, {
      symbol,
      orderId,
      newClientOrderId: 'cancel-1',
    });
    expect(canceled).toMatchObject({
      orderId,
      origClientOrderId: name,
      clientOrderId: 'cancel-1',
      status: 'CANCELED',
    });
    expect(await service.done('GET', '/order', trader, { symbol, orderId })).toMatchObject({
      status: 'CANCELED',
      clientOrderId: name,
    });
    expect(
      await service.done('GET', '/order', trader, { symbol, origClientOrderId: name }),
    ).toEqual(await service.done('GET', '/order', trader, { symbol, orderId }));
    expect(await service.call('DELETE', '/order', trader, { symbol, orderId })).toEqual(
      unknownOrder,
    );
  });

  test('newOrderRespType: ACK, RESULT and FULL; LIMIT_MAKER is acknowledged', async () => {
    const names = async (fields: SpotFields) => Object.keys(await placed(fields));
    const ack = ['symbol', 'orderId', 'orderListId', 'clientOrderId', 'transactTime'];
    expect(await names(limit({ newOrderRespType: 'ACK' }))).toEqual(ack);
    expect(await names(limit({ newOrderRespType: 'RESULT' }))).not.toContain('fills');
    expect(await names(limit())).toContain('fills');
    expect(await names(without(limit({ type: 'LIMIT_MAKER' }), 'timeInForce'))).toEqual(ack);
    expect(await service.done('DELETE', '/openOrders', trader, { symbol })).toHaveLength(4);
    expect(await service.call('DELETE', '/openOrders', trader, { symbol })).toEqual(unknownOrder);
  });

  test('MARKET by quantity and by money, on both sides, pays its commission in what it receives', async () => {
    await placed(limit({ side: 'SELL', quantity: 10, price: 101 }), maker);
    await placed(limit({ side: 'BUY', quantity: 10, price: 99 }), maker);
    expect(await placed(market({ quantity: 2 }))).toMatchObject({
      status: 'FILLED',
      type: 'MARKET',
      timeInForce: 'GTC',
      price: '0',
      origQty: '2',
      executedQty: '2',
      cummulativeQuoteQty: '202',
      origQuoteOrderQty: '0',
      fills: [{ price: '101', qty: '2', commission: '0.004', commissionAsset: base }],
    });
    expect(await placed(market({ quoteOrderQty: 150 }))).toMatchObject({
      status: 'FILLED',
      origQty: '1.485',
      executedQty: '1.485',
      cummulativeQuoteQty: '149.985',
      origQuoteOrderQty: '150',
    });
    expect(await placed(market({ side: 'SELL', quantity: 1 }))).toMatchObject({
      status: 'FILLED',
      cummulativeQuoteQty: '99',
      fills: [{ commission: '0.198', commissionAsset: 'USDT' }],
    });
    expect(await placed(market({ side: 'SELL', quoteOrderQty: 150 }))).toMatchObject({
      status: 'FILLED',
      executedQty: '1.515',
      cummulativeQuoteQty: '149.985',
    });
    await service.done('DELETE', '/openOrders', maker, { symbol });
    expect(await placed(market({ quantity: 1 }))).toMatchObject({
      status: 'EXPIRED',
      executedQty: '0',
      fills: [],
    });
  });

  test('IOC and FOK end EXPIRED with their unfilled rest', async () => {
    await placed(limit({ side: 'SELL', quantity: 1, price: 101 }), maker);
    const order = limit({ quantity: 2, price: 101 });
    expect(await placed({ ...order, timeInForce: 'FOK' })).toMatchObject({
      status: 'EXPIRED',
      executedQty: '0',
    });
    expect(await placed({ ...order, timeInForce: 'IOC' })).toMatchObject({
      status: 'EXPIRED',
      executedQty: '1',
    });
  });

  test('missing, malformed and unsupported parameters are reported in Binance’s words', async () => {
    const mandatory = (name: string) =>
      refusal(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
    for (const name of ['symbol', 'side', 'type', 'timeInForce', 'quantity', 'price']) {
      const expected =
        name === 'type'
          ? [mandatory(name), refusal(-1116, 'Invalid orderType.')]
          : [mandatory(name)];
      expect(expected).toContainEqual(await place(without(limit(), name)));
    }
    const illegal = (name: string) =>
      refusal(-1100, `Illegal characters found in parameter '${name}'.`);
    expect(await place(limit({ price: '1e2' }))).toEqual(illegal('price'));
    expect(await place(limit({ quantity: '-1' }))).toEqual(illegal('quantity'));
    expect(await place(limit({ newClientOrderId: 'a b' }))).toEqual(illegal('newClientOrderId'));
    expect(await place(limit({ symbol: 'NONE' }))).toEqual(refusal(-1121, 'Invalid symbol.'));
    expect(await place(limit({ side: 'LONG' }))).toEqual(refusal(-1117, 'Invalid side.'));
    expect(await place(limit({ type: 'STOP' }))).toEqual(refusal(-1116, 'Invalid orderType.'));
    expect(await place(limit({ timeInForce: 'GTX' }))).toEqual(
      refusal(-1115, 'Invalid timeInForce.'),
    );
    expect(await place(market({ quantity: 1, timeInForce: 'GTC' }))).toEqual(
      refusal(-1114, 'TimeInForce parameter sent when not required.'),
    );
    expect(await place(market())).toEqual(
      refusal(-1102, "Param 'quantity' or 'quoteOrderQty' must be sent, but both were empty/null!"),
    );
    expect(await place(market({ quantity: 1, quoteOrderQty: 5 }))).toMatchObject({
      body: { code: -1128 },
    });
  });

  test('filters are named, and the rest of the refusals have their messages', async () => {
    expect(await place(limit({ price: 90.001 }))).toEqual(
      refusal(-1013, 'Filter failure: PRICE_FILTER'),
    );
    expect(await place(limit({ quantity: 0.0001 }))).toEqual(
      refusal(-1013, 'Filter failure: LOT_SIZE'),
    );
    expect(await place(limit({ quantity: 0.001 }))).toEqual(
      refusal(-1013, 'Filter failure: NOTIONAL'),
    );
    expect(await place(limit({ quantity: 100_000 }))).toEqual(
      refusal(-2010, 'Account has insufficient balance for requested action.'),
    );
    for (const [type, kind] of [
      ['STOP_LOSS', 'Stop loss'],
      ['STOP_LOSS_LIMIT', 'Stop loss limit'],
      ['TAKE_PROFIT', 'Take profit'],
      ['TAKE_PROFIT_LIMIT', 'Take profit limit'],
    ] as const) {
      expect(await place(limit({ type }))).toEqual(
        refusal(-2010, `${kind} orders are not supported for this symbol.`),
      );
    }
    expect(await place(limit({ icebergQty: 1 }))).toMatchObject({ body: { code: -2010 } });
    await placed(limit({ newClientOrderId: 'twice' }));
    expect(await place(limit({ newClientOrderId: 'twice' }))).toEqual(
      refusal(-2010, 'Duplicate order sent.'),
    );
    await placed(limit({ side: 'SELL', price: 101, quantity: 1 }), maker);
    expect(await place(limit({ type: 'LIMIT_MAKER', price: 101 }))).toEqual(
      refusal(-2010, 'Order would immediately match and take.'),
    );
    expect(await place(limit({ side: 'SELL', price: 90 }))).toMatchObject({
      body: { code: -2010 },
    });
    await service.done('DELETE', '/openOrders', trader, { symbol });
    await service.done('DELETE', '/openOrders', maker, { symbol });
  });

  test('the 1,001st open order of a market fails MAX_NUM_ORDERS; a cancel of all answers 1,000', async () => {
    const crowded = await service.nextMarket();
    const busy = await service.nextTrader(crowded);
    await restOrders(service.spot, busy, crowded, 1_000);
    const order = limit({ symbol: crowded, price: 1, quantity: 5 });
    expect(await place(order, busy)).toEqual(refusal(-1013, 'Filter failure: MAX_NUM_ORDERS'));
    const taking = await placed({ ...order, timeInForce: 'IOC' }, busy);
    expect(taking.status).toBe('EXPIRED');
    const canceled = await service.done<readonly Placed[]>('DELETE', '/openOrders', busy, {
      symbol: crowded,
    });
    expect(new Set(canceled.map(({ orderId }) => orderId)).size).toBe(1_000);
  });

  test('order/test checks parameters and filters and places nothing', async () => {
    const test = (fields: SpotFields) => service.call('POST', '/order/test', trader, fields);
    expect(await test(limit())).toEqual({ status: 200, body: {} });
    expect(await test(limit({ quantity: 0.001 }))).toEqual(
      refusal(-1013, 'Filter failure: NOTIONAL'),
    );
    expect(await test(limit({ computeCommissionRates: true }))).toMatchObject({
      body: { standardCommissionForOrder: { maker: '0.001', taker: '0.002' } },
    });
    expect(await service.done('GET', '/openOrders', trader, { symbol })).toEqual([]);
  });
});

describe('POST /api/v3/order/cancelReplace', () => {
  const replace = (fields: SpotFields) =>
    service.call('POST', '/order/cancelReplace', trader, {
      ...limit({ price: 80 }),
      cancelReplaceMode: 'STOP_ON_FAILURE',
      ...fields,
    });

  test('cancels one order and places another', async () => {
    const { orderId } = await placed(limit());
    const { status, body } = await replace({ cancelOrderId: orderId });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      cancelResult: 'SUCCESS',
      newOrderResult: 'SUCCESS',
      cancelResponse: { orderId, status: 'CANCELED' },
      newOrderResponse: { price: '80', status: 'NEW' },
    });
    await service.done('DELETE', '/openOrders', trader, { symbol });
  });

  test('STOP_ON_FAILURE places nothing if the cancel fails; ALLOW_FAILURE does', async () => {
    expect(await replace({ cancelOrderId: 999_999 })).toEqual({
      status: 400,
      body: {
        code: -2022,
        msg: 'Order cancel-replace failed.',
        data: {
          cancelResult: 'FAILURE',
          newOrderResult: 'NOT_ATTEMPTED',
          cancelResponse: { code: -2011, msg: 'Unknown order sent.' },
          newOrderResponse: null,
        },
      },
    });
    expect(
      await replace({ cancelOrderId: 999_999, cancelReplaceMode: 'ALLOW_FAILURE' }),
    ).toMatchObject({
      status: 409,
      body: {
        code: -2021,
        msg: 'Order cancel-replace partially failed.',
        data: { cancelResult: 'FAILURE', newOrderResult: 'SUCCESS' },
      },
    });
    const [{ orderId } = { orderId: 0 }] = await service.done<readonly Placed[]>(
      ...(['GET', '/openOrders', trader, { symbol }] as const),
    );
    expect(await replace({ cancelOrderId: orderId, quantity: 100_000 })).toMatchObject({
      status: 409,
      body: {
        code: -2021,
        data: {
          cancelResult: 'SUCCESS',
          newOrderResult: 'FAILURE',
          newOrderResponse: { code: -2010 },
        },
      },
    });
  });

  test('cancelRestrictions leave an order of a different status alone', async () => {
    const { orderId } = await placed(limit());
    const only = { symbol, orderId, cancelRestrictions: 'ONLY_PARTIALLY_FILLED' };
    expect(await service.call('DELETE', '/order', trader, only)).toEqual(
      refusal(-2011, 'Order was not canceled due to cancel restrictions.'),
    );
    expect(
      await service.call('DELETE', '/order', trader, { ...only, cancelRestrictions: 'NEVER' }),
    ).toMatchObject({ body: { code: -1145 } });
    await service.done('DELETE', '/openOrders', trader, { symbol });
  });
});

describe('reads of the caller’s own', () => {
  test('orders and trades of others are not found', async () => {
    const { orderId } = await placed(limit({ side: 'SELL', price: 150 }), maker);
    expect(await service.call('GET', '/order', trader, { symbol, orderId })).toEqual(
      refusal(-2013, 'Order does not exist.'),
    );
    expect(await service.call('DELETE', '/order', trader, { symbol, orderId })).toEqual(
      unknownOrder,
    );
    await service.done('DELETE', '/openOrders', maker, { symbol });
  });

  test('allOrders and myTrades start at an id or a time, or show the newest, oldest first', async () => {
    const all = await service.done<readonly Placed[]>('GET', '/allOrders', trader, { symbol });
    const ids = all.map(({ orderId }) => orderId);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(all.length).toBeGreaterThan(5);
    const [second] = ids.slice(1);
    const later = await service.done<readonly Placed[]>('GET', '/allOrders', trader, {
      symbol,
      orderId: second ?? 0,
      limit: 2,
    });
    expect(later.map(({ orderId }) => orderId)).toEqual(ids.slice(1, 3));
    const trades = await service.done<readonly { readonly id: number; readonly orderId: number }[]>(
      ...(['GET', '/myTrades', trader, { symbol }] as const),
    );
    expect(trades.length).toBeGreaterThan(3);
    const { id, orderId } = trades[1] ?? { id: 0, orderId: 0 };
    expect(await service.done('GET', '/myTrades', trader, { symbol, fromId: id })).toEqual(
      trades.slice(1),
    );
    expect(await service.done('GET', '/myTrades', trader, { symbol, orderId })).toEqual(
      trades.filter((each) => each.orderId === orderId),
    );
    const day = 86_400_000;
    const now = Date.now();
    const span = { symbol, startTime: now - day - 1, endTime: now };
    for (const path of ['/allOrders', '/myTrades']) {
      expect(await service.call('GET', path, trader, span)).toMatchObject({
        body: { code: -1127 },
      });
      expect(
        await service.done('GET', path, trader, { ...span, startTime: now - 60_000 }),
      ).not.toEqual([]);
    }
  });

  test('account shows balances, and zero ones only on request', async () => {
    const account = await service.done<{
      readonly balances: readonly { readonly asset: string; readonly free: string }[];
    }>('GET', '/account', trader);
    expect(account.balances.map(({ asset }) => asset).sort()).toEqual([base, 'USDT'].sort());
    expect(account).toMatchObject({
      accountType: 'SPOT',
      canTrade: true,
      permissions: ['SPOT'],
      makerCommission: 10,
      takerCommission: 20,
    });
    expect(await service.done('GET', '/account/commission', trader, { symbol })).toMatchObject({
      standardCommission: { maker: '0.001', taker: '0.002' },
    });
  });
});
