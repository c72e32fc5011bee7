import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  anyText,
  nextMarket,
  nextUser,
  type Order,
  outcomeOf,
  placed,
} from '../support/spot-fixtures.ts';
import { type Call, SpotService } from '../support/spot-service.ts';

let service: SpotService;
let symbol: string;
let user: Address;
let order: Order;

beforeAll(async () => {
  service = await SpotService.start();
  symbol = await nextMarket(service);
  user = await nextUser(service, { USDT: '1000' });
  order = await placed(service, user, bid());
});
afterAll(() => service.close());
afterEach(() => {
  service.exchange.isBusy = false;
  service.exchange.state = 'ready';
  service.isDatabaseDown = false;
});

const error = (status: number, code: string) => ({ status, body: { error: code } });
const bid = () => ({ symbol, side: 'buy', type: 'limit', price: '10', quantity: '1' });
const spot = '/api/v1/spot';

function call(method: Call['method'], path: string, more: Partial<Call> = {}) {
  return outcomeOf(service.call({ method: method ?? 'GET', path: spot + path, as: user, ...more }));
}

describe('an engine whose queue is full', () => {
  test('overflow: POST /spot/orders and GET /spot/depth are 503 ENGINE_BUSY', async () => {
    service.exchange.isBusy = true;
    expect(await call('POST', '/orders', { body: bid() })).toEqual(error(503, 'ENGINE_BUSY'));
    expect(await call('GET', '/depth', { query: { symbol } })).toEqual(error(503, 'ENGINE_BUSY'));
  });

  test("overflow: an order's own faults are reported nevertheless", async () => {
    service.exchange.isBusy = true;
    const body = { ...bid(), side: 'hold' };
    expect(await call('POST', '/orders', { body })).toEqual(error(400, 'invalid side'));
  });

  test('overflow: DELETE /spot/orders/:id is 500 DB_ERROR and the order lives', async () => {
    service.exchange.isBusy = true;
    expect(await call('DELETE', `/orders/${order.order_id}`)).toEqual(error(500, 'DB_ERROR'));
    service.exchange.isBusy = false;
    expect(await call('GET', `/orders/${order.order_id}`)).toMatchObject({
      body: { status: 'new' },
    });
  });

  test('overflow: cancel-all is 200 with an empty list, and a log line', async () => {
    service.exchange.isBusy = true;
    expect(await call('DELETE', '/orders')).toEqual({ status: 200, body: { canceled: [] } });
    expect(service.warnings).toContain(
      'cancel-all returned what it canceled so far: the engine queue is full',
    );
  });
});

describe('an engine that is restarting', () => {
  test('restart: POST /spot/orders and GET /spot/depth are 503 ENGINE_RESTARTING', async () => {
    service.exchange.state = 'restarting';
    expect(await call('POST', '/orders', { body: bid() })).toEqual(error(503, 'ENGINE_RESTARTING'));
    expect(await call('GET', '/depth', { query: { symbol } })).toEqual(
      error(503, 'ENGINE_RESTARTING'),
    );
  });

  const others = [
    ['DELETE', '/orders'],
    ['GET', '/orders/open'],
    ['GET', '/balances'],
    ['GET', '/markets'],
    ['GET', '/ticker/24hr'],
  ] as const;
  test.each(others)(
    'restart: %s /spot%s is 500 DB_ERROR, never an empty success',
    async (...of) => {
      service.exchange.state = 'restarting';
      expect(await call(...of)).toEqual(error(500, 'DB_ERROR'));
    },
  );

  test('restart: a cancel is 500 DB_ERROR', async () => {
    service.exchange.state = 'restarting';
    expect(await call('DELETE', `/orders/${order.order_id}`)).toEqual(error(500, 'DB_ERROR'));
  });

  test('restart: the history in the database is served without a filter', async () => {
    service.exchange.state = 'restarting';
    expect(await call('GET', '/orders')).toMatchObject({ status: 200 });
    expect(await call('GET', '/trades')).toMatchObject({ status: 200 });
  });
});

describe('a database that is down', () => {
  test('database down: trading, cancels and live reads continue', async () => {
    service.isDatabaseDown = true;
    const placedOrder = await placed(service, user, bid());
    const id = placedOrder.order_id;
    expect(await call('GET', `/orders/${id}`)).toMatchObject({ status: 200 });
    expect(await call('GET', '/orders/open')).toMatchObject({ status: 200 });
    expect(await call('GET', '/balances')).toMatchObject({ status: 200 });
    expect(await call('GET', '/depth', { query: { symbol } })).toMatchObject({ status: 200 });
    expect(await call('DELETE', `/orders/${id}`)).toMatchObject({ status: 200 });
  });

  test('database down: a finished order cannot be distinguished from an absent one, so DB_ERROR', async () => {
    const { order_id: id } = await placed(service, user, bid());
    await call('DELETE', `/orders/${id}`);
    service.isDatabaseDown = true;
    expect(await call('GET', `/orders/${id}`)).toEqual(error(500, 'DB_ERROR'));
    expect(await call('DELETE', `/orders/${id}`)).toEqual(error(404, 'ORDER_NOT_FOUND'));
    service.isDatabaseDown = false;
    expect(await call('GET', `/orders/${id}`)).toMatchObject({ body: { status: 'canceled' } });
  });

  test('database down: history is 500 DB_ERROR, after MARKET_NOT_FOUND', async () => {
    service.isDatabaseDown = true;
    const failed = error(500, 'DB_ERROR');
    const query = { symbol, interval: '1m' };
    expect(await call('GET', '/orders')).toEqual(failed);
    expect(await call('GET', '/trades')).toEqual(failed);
    expect(await call('GET', '/trades/recent', { query: { symbol } })).toEqual(failed);
    expect(await call('GET', '/ticker/24hr', { query: { symbol } })).toEqual(failed);
    expect(await call('GET', '/klines', { query })).toEqual(failed);
    expect(await call('GET', '/klines', { query: { ...query, symbol: 'NOPE' } })).toEqual(
      error(404, 'MARKET_NOT_FOUND'),
    );
  });
});

describe('spot trading disabled', () => {
  let closed: SpotService;
  beforeAll(async () => {
    closed = await SpotService.start({ isSpotTradingEnabled: false });
    await nextMarket(closed, { id: symbol });
  });
  afterAll(() => closed.close());

  test('disabled: placing and canceling are 503 `spot trading disabled`, reads continue', async () => {
    const send = (method: NonNullable<Call['method']>, path: string, body?: object) =>
      outcomeOf(closed.call({ method, path: spot + path, as: user, body }));
    const disabled = error(503, 'spot trading disabled');
    expect(await send('POST', '/orders', bid())).toEqual(disabled);
    expect(await send('POST', '/orders', { ...bid(), symbol: 'NOPE' })).toEqual(disabled);
    expect(await send('DELETE', `/orders/${order.order_id}`)).toEqual(disabled);
    expect(await send('DELETE', '/orders')).toEqual(disabled);
    expect(await send('GET', '/balances')).toMatchObject({ status: 200 });
    expect(await send('GET', '/orders')).toMatchObject({ status: 200 });
    expect(await send('GET', `/depth?symbol=${symbol}`)).toMatchObject({ status: 200 });
  });

  test('disabled: credentials and malformed fields are checked first', async () => {
    const path = `${spot}/orders`;
    const anonymous = await closed.call({ method: 'POST', path, body: bid() });
    expect(anonymous).toMatchObject({ status: 401, text: '' });
    const malformed = closed.call({ method: 'POST', path, as: user, body: { price: 1 } });
    expect(await outcomeOf(malformed)).toEqual({
      status: 400,
      body: { error: 'INVALID_PARAMETER', detail: anyText },
    });
  });
});
