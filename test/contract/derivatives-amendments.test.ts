import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  type DerivativesService,
  type EnvelopeReply,
  readEnvelope,
  startDerivatives,
} from '../support/derivatives-service.ts';

// Amending an order on the general surface, by a token as by a signed key.

let service: DerivativesService;
let symbol: string;
let trader: Address;
let maker: Address;

beforeAll(async () => {
  service = await startDerivatives();
});
afterAll(() => service.close());
beforeEach(async () => {
  symbol = await service.nextMarket();
  await service.setIndex(symbol, '100');
  service.advanceTime();
  trader = await service.nextTrader();
  maker = await service.nextTrader();
});

interface Order {
  readonly order_id: number;
  readonly [field: string]: unknown;
}

const resting = (price = 90) => service.place(trader, { symbol, side: 'buy', price, quantity: 1 });

async function amend(orderId: number, body: object, as = trader): Promise<EnvelopeReply> {
  const path = `/api/v1/orders/${orderId}`;
  return readEnvelope(await service.spot.call({ method: 'PUT', path, as, body }));
}

async function refusal(orderId: number, body: object, as = trader): Promise<string> {
  const { status, error } = await amend(orderId, body, as);
  return `${status} ${error?.code ?? ''}`;
}

const openOrders = () => service.read<readonly Order[]>('/api/v1/orders/open', trader);

describe('PUT /api/v1/orders/:order_id', () => {
  test('amend: a token gives price and quantity under the same order_id', async () => {
    const orderId = resting();
    const { data } = await amend(orderId, { price: '91.5', quantity: '2.0009' });
    const expected = { order_id: orderId, symbol, price: '91.5', quantity: '2', status: 'NEW' };
    expect(data).toMatchObject({ ...expected, fills: [] });
    expect(await openOrders()).toMatchObject([expected]);
  });

  test('amend: a signed key with the trade permission does the same; a read-only key may not', async () => {
    const orderId = resting();
    const path = `/api/v1/orders/${orderId}`;
    const call = { method: 'PUT', path, as: trader, body: { price: 92 } } as const;
    const { status, data } = readEnvelope(await service.spot.callSigned(call));
    expect(status).toBe(200);
    expect(data).toMatchObject({ order_id: orderId, price: '92', quantity: '1' });
    const read = readEnvelope(await service.spot.callSigned(call, ['read']));
    expect(read).toMatchObject({ status: 403, error: { code: 'PERMISSION_DENIED' } });
  });

  test('amend: what is left out stays as it is', async () => {
    const orderId = resting();
    expect((await amend(orderId, { price: '91' })).data).toMatchObject({ quantity: '1' });
    expect((await amend(orderId, { quantity: 3 })).data).toMatchObject({ price: '91' });
    expect(await openOrders()).toMatchObject([{ price: '91', quantity: '3' }]);
  });

  test('amend: at a price that crosses it trades at once and returns its fills', async () => {
    service.place(maker, { symbol, side: 'sell', price: 100, quantity: 1 });
    const { data } = await amend(resting(), { price: '100', quantity: '1' });
    expect(data).toMatchObject({
      status: 'FILLED',
      avg_price: '100',
      fills: [{ price: '100', quantity: '1', role: 'taker' }],
    });
  });

  test('amend: neither another account’s order nor a finished one is found', async () => {
    const orderId = resting();
    expect(await refusal(orderId, { price: 95 }, maker)).toBe('404 ORDER_NOT_FOUND');
    expect(await refusal(999_999_999, { price: 95 })).toBe('404 ORDER_NOT_FOUND');
    expect(await openOrders()).toMatchObject([{ price: '90' }]);
    const path = `/api/v1/orders/${orderId}`;
    await service.spot.call({ method: 'DELETE', path, as: trader });
    expect(await refusal(orderId, { price: 95 })).toBe('404 ORDER_NOT_FOUND');
  });

  test.each([
    [{}, '400 INVALID_PARAMETER'],
    [{ price: 0 }, '400 INVALID_PARAMETER'],
    [{ price: '-1' }, '400 INVALID_PARAMETER'],
    [{ price: '1e2' }, '400 INVALID_PARAMETER'],
    [{ quantity: '' }, '400 INVALID_PARAMETER'],
    [{ price: 91, side: 'SELL' }, '400 INVALID_PARAMETER'],
    [{ price: '91.05' }, '400 INVALID_TICK'],
    [{ price: '9'.repeat(30) }, '400 INVALID_TICK'],
    [{ quantity: '0.0001' }, '400 INVALID_LOT'],
    [{ quantity: '0.01' }, '400 BELOW_MIN_NOTIONAL'],
    [{ quantity: '1000000' }, '400 INSUFFICIENT_MARGIN'],
    [{ price: 90, quantity: 1 }, '400 ORDER_NOT_AMENDABLE'],
  ])('amend: %j is refused and leaves the order as it is', async (body, expected) => {
    const orderId = resting();
    expect(await refusal(orderId, body)).toBe(expected);
    expect(await openOrders()).toMatchObject([{ price: '90', quantity: '1', status: 'NEW' }]);
  });

  test('amend: an order that waits for its trigger is not amendable', async () => {
    const orderId = service.place(trader, {
      symbol,
      side: 'sell',
      price: 80,
      quantity: 1,
      orderType: 'stop',
      stopPrice: 850 as never,
    });
    expect(await refusal(orderId, { price: 81 })).toBe('400 ORDER_NOT_AMENDABLE');
  });
});
