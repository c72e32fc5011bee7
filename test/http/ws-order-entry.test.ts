import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiKey, OrderEntryFixture, sign } from '../support/order-entry-fixture.ts';
import type { RawMessage } from '../support/raw-stream.ts';

let entry: OrderEntryFixture;

beforeEach(async () => {
  entry = new OrderEntryFixture();
  await entry.start();
});

afterEach(() => entry.stop());

async function call(method: string, params?: RawMessage): Promise<RawMessage> {
  return entry.call(method, params);
}

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '29000' };

describe('order entry over WebSocket', () => {
  test('order.place and order.modify use the price from the book by priceMatch', async () => {
    const maker = entry.futures.fund(2, 100_000);
    entry.futures.place(maker, 'buy', { price: 29_900, quantity: 1 });
    const matched = { ...order, timeInForce: 'GTC', price: '', priceMatch: 'QUEUE' };
    const placed = await call('order.place', sign(matched));
    expect(placed).toMatchObject({ status: 200, result: { price: '29900', priceMatch: 'QUEUE' } });
    entry.futures.place(maker, 'buy', { price: 29_950, quantity: 1 });
    const { orderId } = placed['result'] as { readonly orderId: number };
    const change = { symbol: 'BTCUSDT', orderId, side: 'BUY', quantity: '0.1' };
    expect(await call('order.modify', sign({ ...change, priceMatch: 'QUEUE' }))).toMatchObject({
      status: 200,
      result: { price: '29950', priceMatch: 'QUEUE' },
    });
    const unmatched = { ...matched, priceMatch: 'QUEUE_20', newClientOrderId: 'another' };
    expect(await call('order.place', sign(unmatched))).toMatchObject({
      status: 400,
      error: { code: -2010, msg: 'No depth matches this BBO order.' },
    });
  });

  test('order.place, order.status, order.modify and order.cancel, each signed', async () => {
    const placed = await call('order.place', sign({ ...order, timeInForce: 'GTC' }));
    expect(placed).toMatchObject({
      id: 'r1',
      status: 200,
      result: { symbol: 'BTCUSDT', status: 'NEW' },
    });
    const { orderId } = placed['result'] as { readonly orderId: number };
    const reference = { symbol: 'BTCUSDT', orderId };
    expect(await call('order.status', sign(reference))).toMatchObject({
      status: 200,
      result: { orderId, origQty: '0.1', price: '29000' },
    });
    const change = { ...reference, side: 'BUY', quantity: '0.2', price: '28000' };
    expect(await call('order.modify', sign(change))).toMatchObject({
      status: 200,
      result: { orderId, origQty: '0.2', price: '28000' },
    });
    expect(await call('order.cancel', sign(reference))).toMatchObject({
      status: 200,
      result: { orderId, status: 'CANCELED' },
    });
    expect(await call('order.cancel', sign(reference))).toMatchObject({
      status: 400,
      error: { code: -2011, msg: 'Unknown order sent.' },
    });
  });

  test('depth: a limit that is not a number is malformed', async () => {
    for (const limit of [{ valueOf: 1, toString: 1 }, [5], {}]) {
      const answer = await call('depth', { symbol: 'BTCUSDT', limit });
      expect(answer).toMatchObject({ status: 400, error: { code: -1100 } });
    }
  });

  test('session.logon once, then unsigned requests; session.status shows the key', async () => {
    const connectedSince = expect.any(Number) as number;
    expect(await call('session.status')).toMatchObject({
      status: 200,
      result: { apiKey: null, authorizedSince: null, connectedSince },
    });
    expect(await call('session.logon', sign({}))).toMatchObject({
      status: 200,
      result: { apiKey },
    });
    expect(await call('order.place', order)).toMatchObject({ status: 200 });
    expect(await call('account.balance')).toMatchObject({
      status: 200,
      result: [{ asset: 'USDT' }],
    });
    expect(await call('account.position')).toMatchObject({
      status: 200,
      result: [{ symbol: 'BTCUSDT' }],
    });
    await call('session.logout');
    expect(await call('account.balance')).toMatchObject({
      status: 401,
      error: { code: 'INVALID_API_KEY' },
    });
  });

  test('a key that is disabled after the logon can no longer trade', async () => {
    await call('session.logon', sign({}));
    entry.credential = { ...entry.credential, isEnabled: false };
    expect(await call('order.place', order)).toMatchObject({
      status: 401,
      error: { code: 'API_KEY_DISABLED' },
    });
  });

  test('public methods need no key', async () => {
    expect(await call('ping')).toMatchObject({ status: 200, result: {} });
    expect(await call('time')).toMatchObject({ status: 200 });
    expect(await call('depth', { symbol: 'BTCUSDT' })).toMatchObject({ result: { bids: [] } });
    expect(await call('ticker.price', { symbol: 'BTCUSDT' })).toMatchObject({
      result: { symbol: 'BTCUSDT', price: '30000' },
    });
  });

  test('timestamp and signature problems are SIGNATURE_INVALID, an unknown key INVALID_API_KEY', async () => {
    const expected = { status: 401, error: { code: 'SIGNATURE_INVALID' } };
    expect(await call('order.place', sign(order, 'X'.repeat(64)))).toMatchObject(expected);
    const late = sign({ ...order, timestamp: Date.now() - 61_000 });
    expect(await call('order.place', late)).toMatchObject(expected);
    expect(await call('order.place', { ...order, apiKey })).toMatchObject(expected);
    expect(await call('order.place', sign({ ...order, apiKey: 'B'.repeat(64) }))).toMatchObject({
      status: 401,
      error: { code: 'INVALID_API_KEY' },
    });
  });

  test('a refused order is answered with its code and message', async () => {
    expect(await call('order.place', sign({ ...order, side: 'HOLD' }))).toMatchObject({
      status: 400,
      error: { code: -1130 },
    });
    expect(await call('order.place', sign({ ...order, quantity: '100' }))).toMatchObject({
      status: 400,
      error: { code: -2019, msg: 'Margin is insufficient.' },
    });
    expect(await call('order.nothing', sign({}))).toMatchObject({
      status: 400,
      error: { code: -1100 },
    });
    entry.stream.send('[');
    expect(await entry.stream.next()).toMatchObject({ id: null, status: 400 });
  });

  test('userDataStream.start requires only the key', async () => {
    const started = await call('userDataStream.start', { apiKey });
    expect(started).toMatchObject({ status: 200, result: { listenKey: 'k'.repeat(64) } });
  });
});
