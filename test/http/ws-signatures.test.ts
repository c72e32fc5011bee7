import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testAddress } from '../support/manual-exchange.ts';
import { apiKey, OrderEntryFixture, sign, signText } from '../support/order-entry-fixture.ts';
import type { RawMessage } from '../support/raw-stream.ts';

let entry: OrderEntryFixture;

beforeEach(async () => {
  entry = new OrderEntryFixture();
  await entry.start();
});

afterEach(() => entry.stop());

const order = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.1',
  price: '29000',
};

function openOrders(): readonly unknown[] {
  const { engine } = entry.futures;
  const account = engine.findAccount(testAddress(1));
  return account === null ? [] : engine.futures.listOpenFuturesOrders(account, null);
}

const refused = { status: 401, error: { code: 'SIGNATURE_INVALID' } };

describe('a signature represents exactly one reading of the parameters', () => {
  test('a value with & is refused, though its joined text was signed', async () => {
    const honest = { ...order, apiKey, timestamp: Date.now(), recvWindow: 5000, reduceOnly: true };
    const names = Object.keys(honest).sort() as (keyof typeof honest)[];
    const signature = signText(names.map((name) => `${name}=${honest[name]}`).join('&'));
    const { reduceOnly, recvWindow, ...rest } = honest;
    const joined = { ...rest, recvWindow: `${recvWindow}&reduceOnly=${reduceOnly}`, signature };
    expect(await entry.call('order.place', joined)).toMatchObject(refused);
    expect(openOrders()).toHaveLength(0);
  });

  const splittable: RawMessage[] = [
    { 'recvWindow=5000&reduceOnly': true },
    { newClientOrderId: 'a&b' },
    { newClientOrderId: 'a=b' },
    { newClientOrderId: 'a%26b' },
    { newClientOrderId: 'a+b' },
    { newClientOrderId: 'a#b' },
    { newClientOrderId: 'a\nb' },
    { newClientOrderId: null },
    { newClientOrderId: ['a'] },
    { newClientOrderId: { a: 1 } },
  ];
  test.each(splittable)('refused: %j', async (extra) => {
    const unsigned: RawMessage = { ...order, ...extra, apiKey, timestamp: Date.now() };
    const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const text = Object.keys(unsigned)
      .sort()
      .map((name) => `${name}=${textOf(unsigned[name])}`)
      .join('&');
    const signed = { ...unsigned, signature: signText(text) };
    expect(await entry.call('order.place', signed)).toMatchObject(refused);
    expect(openOrders()).toHaveLength(0);
  });
});

describe('one signed request is one order over /ws-fapi/v1 too', () => {
  test('order.place sent twice: the first answer for both, no second order', async () => {
    const signed = sign(order);
    const first = await entry.call('order.place', signed);
    expect(first).toMatchObject({ status: 200, result: { status: 'NEW' } });
    const second = await entry.call('order.place', signed);
    expect(second).toMatchObject({ status: 200, result: first['result'] });
    expect(openOrders()).toHaveLength(1);
  });

  test('on two connections at once, even with another letter case of the signature', async () => {
    const signed = sign(order);
    const other = await entry.connect();
    const upper = { ...signed, signature: String(signed['signature']).toUpperCase() };
    const [first, second] = await Promise.all([
      entry.stream.ask({ id: 1, method: 'order.place', params: signed }),
      other.ask({ id: 2, method: 'order.place', params: upper }),
    ]);
    other.close();
    expect([first?.['status'], second?.['result']]).toEqual([200, first?.['result']]);
    expect(openOrders()).toHaveLength(1);
  });

  test('algoOrder.place and a refusal are repeated as they were', async () => {
    const stop = {
      algoType: 'CONDITIONAL',
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'STOP_MARKET',
      quantity: '0.1',
      triggerPrice: '20000',
    };
    const signed = sign(stop);
    const first = await entry.call('algoOrder.place', signed);
    expect(first['status']).toBe(200);
    expect(await entry.call('algoOrder.place', signed)).toMatchObject({ result: first['result'] });
    const tooMuch = sign({ ...order, quantity: '100', newClientOrderId: 'large' });
    const refusal = await entry.call('order.place', tooMuch);
    expect(refusal).toMatchObject({ status: 400, error: { code: -2019 } });
    expect(await entry.call('order.place', tooMuch)).toEqual(refusal);
  });

  test('after a logon each unsigned request is a separate order', async () => {
    await entry.call('session.logon', sign({}));
    await entry.call('order.place', { ...order, newClientOrderId: 'one' });
    await entry.call('order.place', { ...order, newClientOrderId: 'two' });
    expect(openOrders()).toHaveLength(2);
  });
});

describe('everything over /ws-fapi/v1 is counted', () => {
  const limited = async (weight: number): Promise<void> => {
    await entry.stop();
    entry = new OrderEntryFixture({ requestWeightPerMinute: weight });
    await entry.start();
  };
  const closeCode = (): Promise<number> =>
    new Promise((resolve) => entry.stream.webSocket.once('close', resolve));

  test('malformed messages and logons; a client that continues is closed with 1008', async () => {
    await limited(5);
    expect(await entry.call('session.status')).toMatchObject({ status: 200 });
    expect(await entry.call('session.logon', {})).toMatchObject({ status: 401 });
    entry.stream.send('[');
    expect(await entry.stream.next()).toMatchObject({ status: 400 });
    entry.stream.send('[');
    expect(await entry.stream.next()).toMatchObject({ status: 429, error: { code: -1003 } });
    const closed = closeCode();
    for (let message = 0; message < 30; message += 1) entry.stream.send('[');
    expect(await closed).toBe(1008);
  });

  test("a stranger's orders, though an order has no weight", async () => {
    await limited(3);
    for (let refused = 0; refused < 3; refused += 1) {
      expect(await entry.call('order.place', { ...order, apiKey })).toMatchObject({ status: 401 });
    }
    expect(await entry.call('order.place', { ...order, apiKey })).toMatchObject({ status: 429 });
  });

  test('unknown methods', async () => {
    await limited(2);
    expect(await entry.call('no.such')).toMatchObject({ status: 400, error: { code: -1100 } });
    expect(await entry.call('no.such')).toMatchObject({ status: 400 });
    expect(await entry.call('no.such')).toMatchObject({ status: 429 });
  });

  test('orders beyond the limit on orders', async () => {
    await entry.stop();
    entry = new OrderEntryFixture({ requestWeightPerMinute: 2, ordersPerTenSeconds: 1 });
    await entry.start();
    const place = (newClientOrderId: string) =>
      entry.call('order.place', sign({ ...order, newClientOrderId }));
    expect(await place('a')).toMatchObject({ status: 200 });
    expect(await place('b')).toMatchObject({ status: 429, error: { code: -1015 } });
    expect(await place('c')).toMatchObject({ status: 429, error: { code: -1015 } });
    expect(await place('d')).toMatchObject({ status: 429, error: { code: -1003 } });
  });

  test("the key's weight, wherever its requests come from", async () => {
    await limited(12);
    for (const expected of [200, 200, 429]) {
      expect(await entry.call('account.balance', sign({}))).toMatchObject({ status: expected });
    }
  });
});
