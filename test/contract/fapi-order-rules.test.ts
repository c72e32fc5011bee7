import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import type { Ticks } from '../../src/domain/spot-market.ts';
import { error, filter, mandatory } from '../support/fapi-errors.ts';
import { FapiService } from '../support/fapi-service.ts';

// The rules of POST /fapi/v1/order and the cancel paths, in the words of interface.md.

let service: FapiService;
let maker: Address;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  maker = await service.derivatives.nextTrader();
  trader = await service.derivatives.nextTrader();
});
afterAll(() => service.close());

type Fields = Readonly<Record<string, string | number | boolean>>;
interface Order {
  readonly orderId: number;
  readonly status: string;
}

/** A market at 100 whose book holds bids at 99 and offers at 101, of 1000 each. */
async function nextMarket(change: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const symbol = await service.derivatives.nextMarket(change);
  await service.derivatives.setIndex(symbol, '100');
  service.derivatives.advanceTime();
  service.derivatives.place(maker, { symbol, side: 'buy', price: 99, quantity: 1000 });
  service.derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 1000 });
  return symbol;
}

const limit = (symbol: string, change: Fields = {}): Fields => ({
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: 1,
  price: 90,
  ...change,
});
const market = (symbol: string, change: Fields = {}): Fields => ({
  symbol,
  side: 'BUY',
  type: 'MARKET',
  quantity: 1,
  newOrderRespType: 'RESULT',
  ...change,
});
const place = (fields: Fields, as = trader) => service.call('POST', '/v1/order', as, fields);
const placed = (fields: Fields, as = trader) =>
  service.done<Order>('POST', '/v1/order', as, fields);
const openOrders = (symbol: string, as = trader) =>
  service.done<Order[]>('GET', '/v1/openOrders', as, { symbol });
const availableOf = async (as: Address) =>
  (await service.done<{ availableBalance: string }>('GET', '/v3/account', as)).availableBalance;

describe('rule 1: lot and notional', () => {
  test('rule 1: lot size, min and max notional are judged before the order is matched', async () => {
    const symbol = await nextMarket({ max_notional: '1000000' });
    const depth = async () => (await service.read('/v1/depth', { symbol })).body;
    const before = await depth();
    // Each of them would also cross the book, for which matching would return -2010.
    const crossing = (quantity: string) =>
      place(limit(symbol, { timeInForce: 'GTX', price: 101, quantity }));
    expect(await crossing('1')).toMatchObject({ body: { code: -2010 } });
    expect(await crossing('0.0009')).toEqual(filter('LOT_SIZE'));
    expect(await crossing('0.049')).toEqual(filter('MIN_NOTIONAL'));
    expect(await crossing('9901')).toEqual(filter('MAX_NOTIONAL'));
    expect(await depth()).toMatchObject({
      ...(before as object),
      E: expect.any(Number) as number,
      T: expect.any(Number) as number,
    });
    expect(await service.done('GET', '/v1/allOrders', trader, { symbol })).toEqual([]);
  });

  test('rule 1: a position beyond what the leverage allows is -2027, whatever the filters say', async () => {
    const symbol = await nextMarket({ max_notional: '400000' });
    await service.done('POST', '/v1/leverage', trader, { symbol, leverage: 100 });
    // The first of four brackets ends at a tenth of the largest notional.
    expect(await place(limit(symbol, { quantity: '445' }))).toEqual({
      status: 400,
      body: { code: -2027, msg: 'Exceeded the maximum allowable position at current leverage.' },
    });
    expect(await place(limit(symbol, { quantity: '444' }))).toMatchObject({ status: 200 });
  });

  test('rule 1: a remainder below one lot closes the order out as FILLED', async () => {
    const symbol = await nextMarket();
    service.derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 1 });
    const order = await placed(limit(symbol, { quantity: '1.0009', price: 100 }));
    const stored = await service.done('GET', '/v1/order', trader, {
      symbol,
      orderId: order.orderId,
    });
    expect(stored).toMatchObject({ status: 'FILLED', origQty: '1', executedQty: '1' });
    expect(await openOrders(symbol)).toEqual([]);
  });
});

describe('rule 2: reduceOnly', () => {
  test('rule 2: LOT_SIZE and MAX_NOTIONAL apply to reduce-only orders, MIN_NOTIONAL does not', async () => {
    const symbol = await nextMarket({ max_notional: '1000000' });
    await placed(market(symbol, { quantity: 5 }));
    const reduce = (quantity: string, price: number) =>
      place(limit(symbol, { side: 'SELL', reduceOnly: true, quantity, price }));
    expect(await reduce('0.0009', 110)).toEqual(filter('LOT_SIZE'));
    expect(await reduce('5', 250_000)).toEqual(filter('MAX_NOTIONAL'));
    expect(await reduce('0.001', 110)).toMatchObject({ status: 200, body: { origQty: '0.001' } });
  });

  test("rule 2: reduceOnly is accepted as true, false, 'true' and 'false'", async () => {
    const symbol = await nextMarket();
    await placed(market(symbol, { quantity: 5 }));
    const path = '/fapi/v1/order';
    for (const reduceOnly of [true, false, 'true', 'false']) {
      const body = { ...limit(symbol, { side: 'SELL', price: 110 }), reduceOnly };
      const json = await service.spot.callSigned({ method: 'POST', path, as: trader, body });
      expect(json.body).toMatchObject({ status: 'NEW', reduceOnly: String(reduceOnly) === 'true' });
      expect(await placed(body)).toMatchObject({ reduceOnly: String(reduceOnly) === 'true' });
    }
  });

  test('rule 2: an order that would open a position is -2022, one that would flip it is capped to it', async () => {
    const symbol = await nextMarket();
    const refused = error(-2022, 'ReduceOnly Order is rejected.');
    expect(await place(market(symbol, { side: 'SELL', reduceOnly: true }))).toEqual(refused);
    await placed(market(symbol, { quantity: 2 }));
    expect(await place(market(symbol, { reduceOnly: true }))).toEqual(refused);
    const flip = await placed(market(symbol, { side: 'SELL', quantity: 5, reduceOnly: true }));
    expect(flip).toMatchObject({ executedQty: '2' });
    expect(await service.done('GET', '/v1/positionRisk', trader, { symbol })).toMatchObject([
      { positionAmt: '0' },
    ]);
  });
});

describe('rule 3: timeInForce', () => {
  test.each([
    ['GTC', 90, 'NEW'],
    ['GTX', 90, 'NEW'],
    ['IOC', 101, 'FILLED'],
    ['FOK', 101, 'FILLED'],
    ['IOC', 90, 'EXPIRED'],
    ['FOK', 90, 'EXPIRED'],
  ])('rule 3: %s at %i is accepted and ends %s', async (timeInForce, price, status) => {
    const symbol = await nextMarket();
    const order = await placed(limit(symbol, { timeInForce, price, newOrderRespType: 'RESULT' }));
    expect(order).toMatchObject({ timeInForce, status });
  });

  test('rule 3: GTD is for algo orders; on a regular order it is -1102', async () => {
    const symbol = await nextMarket();
    const goodTillDate = Date.now() + 3_600_000;
    const gtd = { timeInForce: 'GTD', goodTillDate };
    expect(await place(limit(symbol, gtd))).toEqual(mandatory('timeInForce'));
    const algo = await service.call('POST', '/v1/algoOrder', trader, {
      algoType: 'CONDITIONAL',
      symbol,
      side: 'SELL',
      type: 'STOP',
      quantity: 1,
      price: 79,
      triggerPrice: 80,
      ...gtd,
    });
    expect(algo).toMatchObject({ status: 200, body: { timeInForce: 'GTD', goodTillDate } });
  });
});

describe('rule 4: trigger orders', () => {
  test('rule 4: stopPrice is honored: nothing happens before it, the order trades at it', async () => {
    const symbol = await nextMarket();
    await placed(market(symbol));
    const { orderId } = await placed({
      symbol,
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: 1,
      stopPrice: '98',
      workingType: 'MARK_PRICE',
    });
    const status = () => service.done('GET', '/v1/order', trader, { symbol, orderId });
    await service.derivatives.setIndex(symbol, '98.5');
    service.derivatives.advanceTime();
    expect(await status()).toMatchObject({ status: 'NEW', stopPrice: '98' });
    await service.derivatives.setIndex(symbol, '97.9');
    service.derivatives.advanceTime();
    expect(await status()).toMatchObject({ status: 'FILLED', avgPrice: '99', stopPrice: '98' });
  });

  test('rule 4: closePosition is accepted for STOP_MARKET and TAKE_PROFIT_MARKET, without a quantity', async () => {
    const symbol = await nextMarket();
    await placed(market(symbol));
    for (const [type, stopPrice] of [
      ['STOP_MARKET', 80],
      ['TAKE_PROFIT_MARKET', 120],
    ] as const) {
      const close = { symbol, side: 'SELL', type, stopPrice, closePosition: true };
      expect(await placed(close)).toMatchObject({ type, closePosition: true, status: 'NEW' });
    }
  });
});

describe('rule 5: stored fields of an order', () => {
  test('rule 5: clientOrderId, timeInForce and avgPrice are returned by query and all-orders', async () => {
    const symbol = await nextMarket();
    const order = await placed(
      limit(symbol, { newClientOrderId: 'kept.1:/_-', timeInForce: 'IOC', price: 101 }),
    );
    const query = { symbol, orderId: order.orderId };
    const stored = await service.done<object>('GET', '/v1/order', trader, query);
    expect(stored).toMatchObject({
      clientOrderId: 'kept.1:/_-',
      timeInForce: 'IOC',
      avgPrice: '101',
      status: 'FILLED',
    });
    expect(await service.done('GET', '/v1/allOrders', trader, { symbol })).toEqual([stored]);
    const byName = { symbol, origClientOrderId: 'kept.1:/_-' };
    expect(await service.done('GET', '/v1/order', trader, byName)).toEqual(stored);
  });
});

describe('modify and cancel', () => {
  test('modify: the margin is frozen again and the orderId stays', async () => {
    const symbol = await nextMarket();
    const own = await service.derivatives.nextTrader('1000');
    const { orderId } = await placed(limit(symbol, { quantity: 2 }), own);
    // 2 x 90 at the default leverage of 20, then 4 x 95, then 1 x 50.
    expect(await availableOf(own)).toBe('991');
    const amend = (quantity: number, price: number) =>
      service.done<Order>('PUT', '/v1/order', own, { symbol, orderId, quantity, price });
    expect((await amend(4, 95)).orderId).toBe(orderId);
    expect(await availableOf(own)).toBe('981');
    expect((await amend(1, 50)).orderId).toBe(orderId);
    expect(await availableOf(own)).toBe('997.5');
    expect(
      await service.call('PUT', '/v1/order', own, { symbol, orderId, quantity: 900, price: 99 }),
    ).toEqual(error(-2019, 'Margin is insufficient.'));
    expect(await availableOf(own)).toBe('997.5');
  });

  test('cancel: batch-cancel and cancel-all release the frozen margin', async () => {
    const symbol = await nextMarket();
    const own = await service.derivatives.nextTrader('1000');
    const first = await placed(limit(symbol), own);
    const second = await placed(limit(symbol), own);
    expect(await availableOf(own)).toBe('991');
    const orderIdList = JSON.stringify([first.orderId, second.orderId]);
    await service.done('DELETE', '/v1/batchOrders', own, { symbol, orderIdList });
    expect(await availableOf(own)).toBe('1000');
    await placed(limit(symbol), own);
    await service.done('DELETE', '/v1/allOpenOrders', own, { symbol });
    expect(await availableOf(own)).toBe('1000');
  });

  test.each(['order', 'allOpenOrders', 'batchOrders'])(
    'cancel: canceling a parent cancels its TP/SL trigger orders, by DELETE %s',
    async (path) => {
      const symbol = await nextMarket();
      const own = await service.derivatives.nextTrader();
      const trigger = (stopPrice: number) => ({
        stopPrice: (stopPrice * 10) as Ticks,
        triggerPriceKind: 'mark' as const,
      });
      const terms = { symbol, side: 'buy', price: 90, quantity: 1 } as const;
      const orderId = service.derivatives.place(own, {
        ...terms,
        takeProfit: trigger(120),
        stopLoss: trigger(80),
      });
      expect(await openOrders(symbol, own)).toHaveLength(3);
      const which = {
        order: { orderId },
        allOpenOrders: {},
        batchOrders: { orderIdList: JSON.stringify([orderId]) },
      }[path];
      await service.done('DELETE', `/v1/${path}`, own, { symbol, ...which });
      expect(await openOrders(symbol, own)).toEqual([]);
    },
  );
});

describe('leverage', () => {
  test('leverage: stored per user and symbol, and used by later orders that omit it', async () => {
    const [symbol, other] = [await nextMarket(), await nextMarket()];
    const [own, another] = [
      await service.derivatives.nextTrader('1000'),
      await service.derivatives.nextTrader('1000'),
    ];
    await service.done('POST', '/v1/leverage', own, { symbol, leverage: '9' });
    await placed(limit(symbol), own);
    expect(await availableOf(own)).toBe('990');
    await placed(limit(other), own);
    expect(await availableOf(own)).toBe('985.5');
    await placed(limit(symbol), another);
    expect(await availableOf(another)).toBe('995.5');
  });
});

describe('errors with a specific cause', () => {
  test('order: -2010 for an order that opens while the index price is stale', async () => {
    const symbol = await nextMarket();
    service.spot.exchange.time = Math.max(service.spot.exchange.time, Date.now()) + 60_001;
    const refused = error(-2010, 'The index price is stale: only orders that reduce are taken.');
    expect(await place(market(symbol))).toEqual(refused);
    expect(await place(limit(symbol))).toEqual(refused);
  });

  test('order: -1015 beyond 200 open orders of a symbol', async () => {
    const symbol = await nextMarket();
    const own = await service.derivatives.nextTrader();
    for (let count = 0; count < 200; count += 1) {
      service.derivatives.place(own, { symbol, side: 'buy', price: 90, quantity: 1 });
    }
    expect(await place(limit(symbol), own)).toEqual(error(-1015, 'Too many open orders.'));
    await service.done('DELETE', '/v1/allOpenOrders', own, { symbol });
    expect(await place(limit(symbol), own)).toMatchObject({ status: 200 });
  });

  test.each(['NOPEUSDT', 'BTC/USDT', '__proto__', 'ä'])(
    'order: -1121 for the pair %s, invalid or unknown',
    async (symbol) => {
      expect(await place(limit(symbol))).toEqual(error(-1121, 'Invalid symbol.'));
    },
  );

  test('order: -1001, status 500, while the engine restarts', async () => {
    const symbol = await nextMarket();
    service.spot.exchange.state = 'restarting';
    const reply = await place(limit(symbol));
    service.spot.exchange.state = 'ready';
    expect(reply).toEqual(
      error(-1001, 'Internal error; unable to process your request. Please try again.', 500),
    );
  });

  test('settings: -1128, -4046 and -4059 with their messages', async () => {
    const symbol = await nextMarket();
    const post = (path: string, fields: Fields) => service.call('POST', path, trader, fields);
    expect(await post('/v1/marginType', { symbol, marginType: 'NONE' })).toEqual(
      error(-1128, 'Combination of optional parameters invalid.'),
    );
    expect(await post('/v1/marginType', { symbol, marginType: 'ISOLATED' })).toEqual(
      error(-4046, 'Isolated margin is not supported; positions are in cross margin.'),
    );
    expect(await post('/v1/positionSide/dual', { dualSidePosition: 'true' })).toEqual(
      error(-4059, 'Hedge mode is not supported; positions are in one-way mode.'),
    );
  });
});

describe('authentication', () => {
  const envelope = (code: string) => ({
    success: false,
    data: null,
    timestamp: expect.any(Number) as number,
    error: { code, message: expect.any(String) as string },
  });

  test('auth: a timestamp outside the window, or with a bad signature, is 401 SIGNATURE_INVALID', async () => {
    const { apiKey, apiSecret } = await service.addKey(trader);
    const ask = async (offsetMs: number, secret = apiSecret) => {
      const timestamp = String(Date.now() + offsetMs);
      const text = `timestamp=${timestamp}`;
      const signature = createHmac('sha256', secret).update(text).digest('hex');
      const { status, body } = await service.spot.call({
        path: '/fapi/v1/listenKey',
        method: 'POST',
        headers: { 'x-mbx-apikey': apiKey },
        query: { timestamp, signature },
      });
      return { status, body };
    };
    expect((await ask(-30_000)).status).toBe(200);
    const refused = { status: 401, body: envelope('SIGNATURE_INVALID') };
    expect(await ask(-61_000)).toEqual(refused);
    // Well ahead, as the server's clock continues while the request is on its way.
    expect(await ask(120_000)).toEqual(refused);
    expect(await ask(0, 'x'.repeat(64))).toEqual(refused);
  });
});
