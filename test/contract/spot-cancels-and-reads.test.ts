import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address, TimestampMs } from '../../src/domain/identifiers.ts';
import { formatOrderId, parseOrderId } from '../../src/domain/order-id.ts';
import {
  anyText,
  balancesOf,
  baseOf,
  expectOk,
  nextAddress,
  nextMarket,
  nextUser,
  type Order,
  outcomeOf,
  placed,
  restOrders,
} from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
let symbol: string;
let alice: Address;
let bob: Address;

beforeAll(async () => {
  service = await SpotService.start();
  symbol = await nextMarket(service);
  alice = await nextUser(service, { USDT: '100000', [baseOf(symbol)]: '100' });
  bob = await nextUser(service, { USDT: '100000', [baseOf(symbol)]: '100' });
});
afterAll(() => service.close());

const error = (status: number, code: string) => ({ status, body: { error: code } });
const buy = (change: object = {}) => ({
  symbol,
  side: 'buy',
  type: 'limit',
  price: '100',
  quantity: '1',
  ...change,
});
const sell = (change: object = {}) => buy({ side: 'sell', ...change });

function cancel(as: Address, orderId: string) {
  const path = `/api/v1/spot/orders/${orderId}`;
  return outcomeOf(service.call({ method: 'DELETE', path, as }));
}

function get(as: Address, path: string, query: Record<string, string> = {}) {
  return outcomeOf(service.call({ path: `/api/v1/spot${path}`, as, query }));
}

async function getList(as: Address, path: string, query: Record<string, string> = {}) {
  const body = await expectOk(service.call({ path: `/api/v1/spot${path}`, as, query }));
  return body as { items: Order[]; next_cursor: string | null };
}

async function cancelAll(as: Address): Promise<void> {
  await expectOk(service.call({ method: 'DELETE', path: '/api/v1/spot/orders', as }));
}

describe('DELETE /spot/orders/:id', () => {
  test('DELETE /spot/orders/:id: answers the canceled order, and 404 the second time', async () => {
    const order = await placed(service, alice, buy());
    expect(await cancel(alice, order.order_id.toUpperCase())).toMatchObject({
      status: 200,
      body: { order_id: order.order_id, status: 'canceled' },
    });
    expect(await cancel(alice, order.order_id)).toEqual(error(404, 'ORDER_NOT_FOUND'));
  });

  test("DELETE /spot/orders/:id: another user's live order is FORBIDDEN, a finished one absent", async () => {
    const order = await placed(service, alice, buy());
    expect(await cancel(bob, order.order_id)).toEqual(error(403, 'FORBIDDEN'));
    expect(await cancel(nextAddress(), order.order_id)).toEqual(error(403, 'FORBIDDEN'));
    await cancel(alice, order.order_id);
    expect(await cancel(bob, order.order_id)).toEqual(error(404, 'ORDER_NOT_FOUND'));
  });

  test('DELETE /spot/orders/:id: an id that is not a UUID, and unknown UUIDs', async () => {
    expect(await cancel(alice, 'open')).toEqual(error(400, 'invalid id'));
    expect(await cancel(alice, '12345')).toEqual(error(400, 'invalid id'));
    const random = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(await cancel(alice, random)).toEqual(error(404, 'ORDER_NOT_FOUND'));
  });

  test('DELETE /spot/orders/:id: the right number with a different time is unknown', async () => {
    const order = await placed(service, alice, buy());
    const parts = parseOrderId(order.order_id);
    expect(parts).not.toBeNull();
    if (parts === null) return;
    const forged = formatOrderId({ ...parts, createdAt: (parts.createdAt - 1) as TimestampMs });
    expect(await cancel(alice, forged)).toEqual(error(404, 'ORDER_NOT_FOUND'));
    expect(await get(alice, `/orders/${forged}`)).toEqual(error(404, 'ORDER_NOT_FOUND'));
    await cancelAll(alice);
  });
});

describe('DELETE /spot/orders', () => {
  test('DELETE /spot/orders: cancels one market or all, and returns the ids', async () => {
    const other = await nextMarket(service);
    const first = await placed(service, alice, buy({ price: '10' }));
    const second = await placed(service, alice, buy({ price: '11' }));
    const third = await placed(service, alice, buy({ symbol: other, price: '12' }));
    const all = (query: Record<string, string>) =>
      outcomeOf(service.call({ method: 'DELETE', path: '/api/v1/spot/orders', query, as: alice }));
    expect(await all({ symbol: 'NOPE' })).toEqual(error(404, 'MARKET_NOT_FOUND'));
    expect(await all({ symbol })).toEqual({
      status: 200,
      body: { canceled: [first.order_id, second.order_id] },
    });
    expect(await all({})).toEqual({ status: 200, body: { canceled: [third.order_id] } });
    expect(await all({})).toEqual({ status: 200, body: { canceled: [] } });
  });

  test('DELETE /spot/orders: a thousand orders are all canceled and returned', async () => {
    const user = await nextUser(service, { USDT: '10000' });
    await restOrders(service, user, symbol, 1_000);
    const path = '/api/v1/spot/orders';
    const body = await expectOk(service.call({ method: 'DELETE', path, as: user }));
    const { canceled } = body as { readonly canceled: readonly string[] };
    expect(new Set(canceled).size).toBe(1_000);
    expect(await balancesOf(service, user)).toEqual({ USDT: '10000 0' });
  });
});

describe('GET /spot/orders/:id', () => {
  test('GET /spot/orders/:id: the live order, then the finished one, at once after each write', async () => {
    const { fills, ...order } = await placed(service, alice, buy());
    expect(fills).toEqual([]);
    expect(await get(alice, `/orders/${order.order_id}`)).toEqual({ status: 200, body: order });
    await placed(service, bob, sell({ quantity: '0.4' }));
    expect(await get(alice, `/orders/${order.order_id}`)).toMatchObject({
      body: { status: 'partially_filled', filled_quantity: '0.4', filled_quote_quantity: '40' },
    });
    await cancel(alice, order.order_id);
    expect(await get(alice, `/orders/${order.order_id}`)).toEqual({
      status: 200,
      body: {
        ...order,
        status: 'canceled',
        filled_quantity: '0.4',
        filled_quote_quantity: '40',
        avg_price: '100',
        updated_at: anyText,
      },
    });
  });

  test("GET /spot/orders/:id: another user's order, live or finished, is ORDER_NOT_FOUND", async () => {
    const order = await placed(service, alice, buy());
    expect(await get(bob, `/orders/${order.order_id}`)).toEqual(error(404, 'ORDER_NOT_FOUND'));
    await cancel(alice, order.order_id);
    expect(await get(bob, `/orders/${order.order_id}`)).toEqual(error(404, 'ORDER_NOT_FOUND'));
    expect(await get(bob, '/orders/nonsense')).toEqual(error(400, 'invalid id'));
  });
});

describe('GET /spot/orders and /spot/orders/open', () => {
  test('GET /spot/orders: pages newest first through a cursor, by market and status', async () => {
    const own = await nextMarket(service);
    const user = await nextUser(service, { USDT: '1000' });
    const ids: string[] = [];
    for (let price = 10; price < 15; price += 1) {
      const order = await placed(service, user, buy({ symbol: own, price: String(price) }));
      ids.push(order.order_id);
    }
    await cancel(user, ids[1] ?? '');
    const newestFirst = [...ids].reverse();
    const first = await getList(user, '/orders', { symbol: own, limit: '3' });
    expect(first.items.map((order) => order.order_id)).toEqual(newestFirst.slice(0, 3));
    const rest = await getList(user, '/orders', {
      symbol: own,
      limit: '3',
      cursor: first.next_cursor ?? '',
    });
    expect(rest.items.map((order) => order.order_id)).toEqual(newestFirst.slice(3));
    expect(rest.next_cursor).toBeNull();
    const canceled = await getList(user, '/orders', { status: 'canceled' });
    expect(canceled.items.map((order) => order.order_id)).toEqual([ids[1]]);
    expect((await getList(bob, '/orders', { symbol: own })).items).toEqual([]);
  });

  test('GET /spot/orders: by client_order_id, finds the live order, the finished one, or none', async () => {
    const own = await nextMarket(service);
    const user = await nextUser(service, { USDT: '1000' });
    const order = buy({ symbol: own, price: '10', client_order_id: 'page-7' });
    const first = await placed(service, user, order);
    await placed(service, user, buy({ symbol: own, price: '11' }));
    const named = async (name: string, who = user) => {
      const { items } = await getList(who, '/orders', { client_order_id: name });
      return items.map(({ order_id: id }) => id);
    };
    expect(await named('page-7')).toEqual([first.order_id]);
    await cancel(user, first.order_id);
    expect(await named('page-7')).toEqual([first.order_id]);
    expect(await named('page-8')).toEqual([]);
    expect(await named('page-7', bob)).toEqual([]);
  });

  test('GET /spot/orders/open: the live orders, oldest first, of one market or of all', async () => {
    const own = await nextMarket(service);
    const user = await nextUser(service, { USDT: '1000' });
    const first = await placed(service, user, buy({ symbol: own, price: '10' }));
    const second = await placed(service, user, buy({ price: '11' }));
    const ids = async (query: Record<string, string>) =>
      (await getList(user, '/orders/open', query)).items.map((order) => order.order_id);
    expect(await ids({})).toEqual([first.order_id, second.order_id]);
    expect(await ids({ symbol })).toEqual([second.order_id]);
    expect(await get(user, '/orders/open', { symbol: 'NOPE' })).toEqual(
      error(404, 'MARKET_NOT_FOUND'),
    );
    await cancelAll(user);
    expect(await getList(user, '/orders/open')).toEqual({ items: [], next_cursor: null });
  });

  test.each([
    { limit: '0' },
    { limit: '501' },
    { limit: '1.5' },
    { limit: '1e2' },
    { limit: 'all' },
    { limit: '' },
    { cursor: 'not-a-cursor' },
    { cursor: '' },
    { status: 'FILLED' },
    { page: '1' },
  ])('GET /spot/orders: %o is INVALID_PARAMETER with a detail', async (query) => {
    const answer = await get(alice, '/orders', query);
    expect(answer).toEqual({ status: 400, body: { error: 'INVALID_PARAMETER', detail: anyText } });
  });

  test('GET /spot/orders: an unknown market is MARKET_NOT_FOUND', async () => {
    const query = { symbol: 'constructor' };
    expect(await get(alice, '/orders', query)).toEqual(error(404, 'MARKET_NOT_FOUND'));
    expect(await get(alice, '/trades', query)).toEqual(error(404, 'MARKET_NOT_FOUND'));
  });
});

describe('GET /spot/trades', () => {
  test('GET /spot/trades: each side sees its own fee and role, page by page', async () => {
    const own = await nextMarket(service);
    const base = baseOf(own);
    const maker = await nextUser(service, { [base]: '10' });
    const taker = await nextUser(service, { USDT: '1000' });
    const ask = await placed(service, maker, sell({ symbol: own, quantity: '3' }));
    const bids: Order[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      bids.push(await placed(service, taker, buy({ symbol: own, tif: 'ioc' })));
    }
    const makers = await getList(maker, '/trades', { symbol: own });
    expect(makers.items).toHaveLength(3);
    expect(makers.items[0]).toEqual({
      trade_id: bids[2]?.fills[0]?.['trade_id'],
      order_id: ask.order_id,
      symbol: own,
      side: 'sell',
      price: '100',
      quantity: '1',
      quote_quantity: '100',
      fee: '0.1',
      fee_token: 'USDT',
      role: 'maker',
      created_at: anyText,
    });
    const first = await getList(taker, '/trades', { limit: '2' });
    expect(first.items[0]).toMatchObject({
      order_id: bids[2]?.order_id,
      side: 'buy',
      fee: '0.002',
      fee_token: base,
      role: 'taker',
    });
    const query = { limit: '2', cursor: first.next_cursor ?? '' };
    const rest = await getList(taker, '/trades', query);
    expect(rest.items.map((trade) => trade.order_id)).toEqual([bids[0]?.order_id]);
    expect(rest.next_cursor).toBeNull();
  });
});

describe('reading endpoints: access', () => {
  const paths = ['/orders', '/orders/open', '/trades', '/balances', `/orders/${nextAddress()}`];
  test.each(paths)('GET /spot%s: without credentials 401 with an empty body', async (path) => {
    const reply = await service.call({ path: `/api/v1/spot${path}` });
    expect(reply).toMatchObject({ status: 401, text: '' });
  });

  test('GET /spot/balances: an API key that may only read reads', async () => {
    const call = { path: '/api/v1/spot/balances', as: alice };
    expect((await service.callSigned(call, ['read'])).status).toBe(200);
  });
});
