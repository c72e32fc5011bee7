import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FuturesPorts } from '../../src/application/futures/futures-trading-ports.ts';
import type { ApiKeyCredential, ApiKeyStore } from '../../src/application/ports.ts';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import { RequestLimiter } from '../../src/gateway/http/request-limiter.ts';
import { signedText } from '../../src/gateway/ws/order-entry/request-signature.ts';
import { FuturesFixture } from '../support/futures-fixture.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { MemoryListenKeys } from '../support/memory-listen-keys.ts';
import { type RawMessage, RawStream } from '../support/raw-stream.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

const apiKey = 'A'.repeat(64);
const secret = 'S'.repeat(64);
const limits = {
  requestWeightPerMinute: 2_400,
  ordersPerTenSeconds: 300,
  ordersPerMinute: 1_200,
  signInsPerMinute: 10,
  signingsPerMinute: 10,
};
let exchange: ManualExchange;
let futures: FuturesFixture;
let running: StreamServer;
let stream: RawStream;
let credential: ApiKeyCredential;

class ExchangeFutures extends FuturesFixture {
  override engine = exchange.engine as Engine;

  override apply(command: Command): AppliedCommand {
    exchange.time = this.now;
    return exchange.apply(command);
  }
}

beforeEach(async () => {
  exchange = new ManualExchange();
  futures = new ExchangeFutures();
  futures.now = exchange.time;
  futures.fund(1, 10_000);
  futures.setIndex(30_000);
  credential = {
    apiKey,
    apiSecret: secret,
    address: testAddress(1),
    label: 'bot',
    ipWhitelist: [],
    permissions: ['read', 'trade'],
    isEnabled: true,
    createdAt: new Date(0),
  };
  const recallCredential = (key: string) => (key === apiKey ? credential : null);
  const findCredential = async (key: string) => recallCredential(key);
  const now = () => Date.now();
  const ports = {
    exchange,
    barrier: { waitFor: async () => {} },
    futuresHistory: { findOrder: async () => null, findOrderByClientId: async () => null },
    newClientOrderId: () => 'generated',
    now: () => now() as TimestampMs,
  } as unknown as FuturesPorts;
  const listenKeys = new MemoryListenKeys({ makeKey: () => 'k'.repeat(64), now });
  const routes = fapiRoutes({ ports, limits, listenKeys, isListenKeyUnsigned: false });
  running = await startStreamServer({
    exchange,
    isTimeReal: true,
    orderEntry: {
      endpoints: routes.endpoints,
      apiKeys: { findCredential, recallCredential } as unknown as ApiKeyStore,
      limiter: new RequestLimiter(limits, now),
    },
  });
  stream = new RawStream(running.url.replace('/ws', '/ws-fapi/v1'));
  await stream.opened;
});

afterEach(async () => {
  stream.close();
  await running.stop();
});

function sign(params: RawMessage, by = secret): RawMessage {
  const unsigned = { apiKey, timestamp: Date.now(), ...params };
  const signature = createHmac('sha256', by).update(signedText(unsigned)).digest('hex');
  return { ...unsigned, signature };
}

async function call(method: string, params?: RawMessage): Promise<RawMessage> {
  return stream.ask({ id: 'r1', method, ...(params === undefined ? {} : { params }) });
}

const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '29000' };

describe('order entry over WebSocket', () => {
  test('order.place and order.modify take the price from the book by priceMatch', async () => {
    const maker = futures.fund(2, 100_000);
    futures.place(maker, 'buy', { price: 29_900, quantity: 1 });
    const matched = { ...order, timeInForce: 'GTC', price: '', priceMatch: 'QUEUE' };
    const placed = await call('order.place', sign(matched));
    expect(placed).toMatchObject({ status: 200, result: { price: '29900', priceMatch: 'QUEUE' } });
    futures.place(maker, 'buy', { price: 29_950, quantity: 1 });
    const { orderId } = placed['result'] as { readonly orderId: number };
    const change = { symbol: 'BTCUSDT', orderId, side: 'BUY', quantity: '0.1' };
    expect(await call('order.modify', sign({ ...change, priceMatch: 'QUEUE' }))).toMatchObject({
      ...{ status: 200, result: { price: '29950', priceMatch: 'QUEUE' } },
    });
    const unmatched = { ...matched, priceMatch: 'QUEUE_20', newClientOrderId: 'another' };
    expect(await call('order.place', sign(unmatched))).toMatchObject({
      ...{ status: 400, error: { code: -2010, msg: 'No depth matches this BBO order.' } },
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

  test('session.logon once, then unsigned requests; session.status says who', async () => {
    const connectedSince = expect.any(Number) as number;
    expect(await call('session.status')).toMatchObject({
      ...{ status: 200, result: { apiKey: null, authorizedSince: null, connectedSince } },
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

  test('a key that is disabled after the logon trades no more', async () => {
    await call('session.logon', sign({}));
    credential = { ...credential, isEnabled: false };
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
    stream.send('[');
    expect(await stream.next()).toMatchObject({ id: null, status: 400 });
  });

  test('userDataStream.start takes the key alone', async () => {
    const started = await call('userDataStream.start', { apiKey });
    expect(started).toMatchObject({ status: 200, result: { listenKey: 'k'.repeat(64) } });
  });
});
