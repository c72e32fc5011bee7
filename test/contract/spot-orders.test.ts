import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import type { SpotMarketStatus } from '../../src/domain/spot-market.ts';
import {
  anyText,
  balancesOf,
  baseOf,
  nextAddress,
  nextMarket,
  nextUser,
  outcomeOf,
  place,
  placed,
  restOrders,
  textLike,
} from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
let symbol: string;
let rich: Address;
let seller: Address;

beforeAll(async () => {
  service = await SpotService.start();
  symbol = await nextMarket(service);
  rich = await nextUser(service, { USDT: '1000000', [baseOf(symbol)]: '1000' });
  seller = await nextUser(service, { [baseOf(symbol)]: '1000' });
  // What rests throughout: the seller offers 1 at 110, rich bids 1 at 90 and offers 1 at 120.
  await placed(service, seller, limit({ side: 'sell', price: '110', quantity: '1' }));
  await placed(service, rich, limit({ side: 'buy', price: '90', quantity: '1' }));
  await placed(service, rich, limit({ side: 'sell', price: '120', quantity: '1' }));
});
afterAll(() => service.close());

function limit(change: object): object {
  return { symbol, side: 'buy', type: 'limit', price: '100', quantity: '1', ...change };
}

async function setStatus(id: string, status: SpotMarketStatus): Promise<void> {
  await service.call({
    method: 'PUT',
    path: `/api/v1/admin/spot/markets/${id}/status`,
    isAdmin: true,
    body: { status },
  });
}

const error = (status: number, code: string) => ({ status, body: { error: code } });

describe('POST /spot/orders: each error of the table, and of two faults the earlier one', () => {
  interface Row {
    readonly code: string;
    readonly status?: number;
    /** The fault of the row together with one of a lower row. */
    readonly order: Readonly<Record<string, unknown>>;
    readonly as?: 'rich' | 'poor';
  }
  const rows: readonly Row[] = [
    { code: 'MARKET_NOT_FOUND', status: 404, order: { symbol: 'NOPE', side: 'hold' } },
    { code: 'invalid side', order: { side: 'Buy', type: 'stop' } },
    { code: 'invalid side', order: { side: null, type: null } },
    { code: 'invalid type', order: { type: 'LIMIT', tif: 'GTC' } },
    { code: 'invalid tif', order: { tif: 'GTC', price: null } },
    { code: 'price required for limit', order: { price: null, quantity: null } },
    { code: 'quantity required for limit', order: { price: '100.001', quantity: null } },
    {
      code: 'quantity required for market sell',
      order: { side: 'sell', type: 'market', quantity: null, price: '100.001' },
    },
    {
      code: 'quote_quantity required for market buy',
      order: { type: 'market', price: '100.001', quantity: '0.00001' },
    },
    { code: 'INVALID_TICK', order: { price: '100.001', quantity: '0.00001' } },
    { code: 'INVALID_LOT', order: { price: '0.01', quantity: '1.00001' } },
    { code: 'BELOW_MIN_NOTIONAL', order: { quantity: '0.0499' }, as: 'poor' },
    {
      code: 'BELOW_MIN_NOTIONAL',
      order: { type: 'market', price: null, quantity: null, quote_quantity: '4.99' },
      as: 'poor',
    },
    { code: 'INSUFFICIENT_BALANCE', order: { price: '110', tif: 'post_only' }, as: 'poor' },
    { code: 'POST_ONLY_REJECT', order: { price: '120', tif: 'post_only', quantity: '2' } },
    { code: 'SELF_TRADE', order: { price: '120', quantity: '2' } },
    { code: 'SELF_TRADE', order: { price: '120', quantity: '2', tif: 'fok' } },
  ];
  test.each(rows)('POST /spot/orders: $code for $order', async ({ code, status, order, as }) => {
    const before = await balancesOf(service, rich);
    const caller = as === 'poor' ? await nextUser(service, { USDT: '1' }) : rich;
    const answer = await outcomeOf(place(service, caller, limit(order)));
    expect(answer).toEqual(error(status ?? 400, code));
    expect(await balancesOf(service, rich)).toEqual(before);
  });

  test('POST /spot/orders: 409 MARKET_HALTED and 410 MARKET_DELISTED before the order is read', async () => {
    const closed = await nextMarket(service);
    const order = { ...limit({ side: 'hold' }), symbol: closed };
    await setStatus(closed, 'halted');
    expect(await outcomeOf(place(service, rich, order))).toEqual(error(409, 'MARKET_HALTED'));
    await setStatus(closed, 'delisted');
    expect(await outcomeOf(place(service, rich, order))).toEqual(error(410, 'MARKET_DELISTED'));
  });

  test('POST /spot/orders: a market row of an unrecognized status is 400 market.status invalid', async () => {
    const odd = await nextMarket(service);
    const order = { ...limit({ side: 'hold' }), symbol: odd };
    const { engine } = service.exchange;
    const marketId = engine.findSpotMarket(odd)?.marketId;
    expect(marketId).toBeDefined();
    const find = engine.findSpotMarket.bind(engine);
    engine.findSpotMarket = (symbol) => {
      const market = find(symbol);
      return market?.symbol === odd ? { ...market, status: 'frozen' as SpotMarketStatus } : market;
    };
    expect(await outcomeOf(place(service, rich, order))).toEqual(
      error(400, 'market.status invalid'),
    );
    engine.findSpotMarket = find;
  });

  test('POST /spot/orders: 409 DUPLICATE_CLIENT_ORDER_ID while the first order lives', async () => {
    const order = limit({ side: 'buy', price: '50', client_order_id: 'a.Z_9:/-' });
    const first = await placed(service, rich, order);
    expect(first['client_order_id']).toBe('a.Z_9:/-');
    expect(await outcomeOf(place(service, rich, order))).toEqual(
      error(409, 'DUPLICATE_CLIENT_ORDER_ID'),
    );
    const path = `/api/v1/spot/orders/${first.order_id}`;
    await service.call({ method: 'DELETE', path, as: rich });
    const again = await placed(service, rich, order);
    await service.call({
      method: 'DELETE',
      path: `/api/v1/spot/orders/${again.order_id}`,
      as: rich,
    });
  });
});

describe('POST /spot/orders: malformed fields come before the table', () => {
  const nothing = { symbol: 'NOPE', side: 'hold' };
  const rows: readonly { readonly detail: string; readonly order: object }[] = [
    { detail: 'symbol: required', order: { symbol: undefined } },
    { detail: 'leverage: unknown field', order: { leverage: 5 } },
    { detail: 'symbol: must be string', order: { symbol: 7 } },
    { detail: 'side: must be string,null', order: { side: 1 } },
    { detail: 'price: not a plain decimal number', order: { price: '1e2' } },
    { detail: 'price: not a plain decimal number', order: { price: '+1' } },
    { detail: 'price: not a plain decimal number', order: { price: '0x10' } },
    { detail: 'price: not a plain decimal number', order: { price: '007' } },
    { detail: 'price: not a plain decimal number', order: { price: ' 1' } },
    { detail: 'price: not a plain decimal number', order: { price: '' } },
    { detail: 'price: not a plain decimal number', order: { price: 'NaN' } },
    { detail: 'price: not a plain decimal number', order: { price: '१' } },
    { detail: 'price: not a plain decimal number', order: { price: 1234567890.1234567 } },
    { detail: 'price: must be above 0', order: { price: '0' } },
    { detail: 'quantity: must be above 0', order: { quantity: -1 } },
    { detail: 'quote_quantity: at most 8 decimals', order: { quote_quantity: '0.000000001' } },
    { detail: 'quote_quantity: must be above 0', order: { quote_quantity: 0 } },
  ];
  test.each(rows)('POST /spot/orders: $detail for $order', async ({ detail, order }) => {
    const body = { ...limit(nothing), ...order };
    expect(await outcomeOf(place(service, rich, body))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail },
    });
  });

  test.each([
    { price: { value: 1 } },
    { price: ['1'] },
    { client_order_id: 'a b' },
    { client_order_id: '' },
    { client_order_id: 'x'.repeat(37) },
    { price: '9'.repeat(51) },
  ])('POST /spot/orders: INVALID_PARAMETER with a detail for %o', async (fault) => {
    const { status, body } = await place(service, rich, { ...limit(nothing), ...fault });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'INVALID_PARAMETER', detail: anyText });
  });

  test('POST /spot/orders: a body that is not an object, or not JSON, is INVALID_PARAMETER', async () => {
    for (const body of [[], 'text', 7, null]) {
      const answer = await place(service, rich, body as object);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'INVALID_PARAMETER' });
    }
  });

  test('POST /spot/orders: a field that the order would ignore is refused by name', async () => {
    const sell = limit({ side: 'sell', type: 'market', quantity: '1' });
    expect(await outcomeOf(place(service, rich, sell))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: 'price: not allowed for a market sell' },
    });
  });

  test('POST /spot/orders: symbols are case-sensitive, and names of the object prototype are unknown', async () => {
    for (const name of [symbol.toLowerCase(), '__proto__', 'constructor', 'toString', '']) {
      expect(await outcomeOf(place(service, rich, limit({ symbol: name })))).toEqual(
        error(404, 'MARKET_NOT_FOUND'),
      );
    }
  });
});

describe('POST /spot/orders: accepted orders', () => {
  test('POST /spot/orders: a limit order rests and the answer is the order with its fills', async () => {
    const order = await placed(service, rich, limit({ price: 80.5, quantity: '2.50' }));
    expect(order).toEqual({
      order_id: textLike(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      client_order_id: null,
      symbol,
      side: 'buy',
      type: 'limit',
      tif: 'gtc',
      price: '80.5',
      quantity: '2.5',
      quote_quantity: null,
      filled_quantity: '0',
      filled_quote_quantity: '0',
      avg_price: null,
      status: 'new',
      created_at: textLike(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: order['created_at'],
      fills: [],
    });
    const canceled = await service.call({
      method: 'DELETE',
      path: `/api/v1/spot/orders/${order.order_id}`,
      as: rich,
    });
    const { fills, ...rest } = order;
    expect(fills).toEqual([]);
    expect(canceled.body).toEqual({ ...rest, status: 'canceled', updated_at: anyText });
  });

  test('POST /spot/orders: an API key that may trade signs the query string and the body', async () => {
    const call = {
      method: 'POST',
      path: '/api/v1/spot/orders',
      as: rich,
      body: limit({ price: '60' }),
    } as const;
    const reply = await service.callSigned(call);
    expect(reply.status).toBe(200);
    const refused = await service.callSigned(call, ['read']);
    expect(refused.status).toBe(403);
    expect(refused.body).toEqual({ error: 'PERMISSION_DENIED' });
    await service.call({
      method: 'DELETE',
      path: '/api/v1/spot/orders',
      query: { symbol },
      as: rich,
    });
    await placed(service, rich, limit({ side: 'buy', price: '90', quantity: '1' }));
    await placed(service, rich, limit({ side: 'sell', price: '120', quantity: '1' }));
  });

  test('POST /spot/orders: a signed form is accepted as well as JSON', async () => {
    const user = await nextUser(service, { USDT: '100' });
    const fields = { symbol, side: 'buy', type: 'limit', price: '10', quantity: '1', tif: 'gtc' };
    const reply = await service.postForm('/api/v1/spot/orders', user, fields);
    expect(reply.body).toMatchObject({ status: 'new', price: '10', quantity: '1' });
    const faulty = { ...fields, leverage: '5' };
    expect(await outcomeOf(service.postForm('/api/v1/spot/orders', user, faulty))).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: 'leverage: unknown field' },
    });
  });

  test('POST /spot/orders: a caller without an account has an insufficient balance', async () => {
    expect(await outcomeOf(place(service, nextAddress(), limit({})))).toEqual(
      error(400, 'INSUFFICIENT_BALANCE'),
    );
  });

  test('POST /spot/orders: without credentials 401 with an empty body', async () => {
    const reply = await service.call({
      method: 'POST',
      path: '/api/v1/spot/orders',
      body: limit({}),
    });
    expect(reply).toMatchObject({ status: 401, text: '' });
    expect(reply.headers['x-request-id']).toEqual(anyText);
  });

  test('POST /spot/orders: a quantity or price beyond the range is refused with a detail', async () => {
    const huge = `1${'0'.repeat(29)}`;
    for (const fault of [{ price: huge }, { quantity: huge }]) {
      const reply = await place(service, rich, limit(fault));
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ error: 'INVALID_PARAMETER', detail: anyText });
    }
  });

  test('POST /spot/orders: 400 TOO_MANY_ORDERS for the 1,001st that would rest', async () => {
    const crowded = await nextMarket(service);
    const user = await nextUser(service, { USDT: '10000' });
    const { body } = await service.call({ path: `/api/v1/spot/markets/${crowded}` });
    expect(body).toMatchObject({ max_open_orders: 1_000 });
    await restOrders(service, user, crowded, 1_000);
    const order = { ...limit({ price: '1', quantity: '5' }), symbol: crowded };
    const before = await balancesOf(service, user);
    for (const tif of ['gtc', 'post_only']) {
      expect(await outcomeOf(place(service, user, { ...order, tif }))).toEqual(
        error(400, 'TOO_MANY_ORDERS'),
      );
    }
    expect(await balancesOf(service, user)).toEqual(before);
    expect((await placed(service, user, { ...order, tif: 'ioc' })).status).toBe('expired');
  });
});
