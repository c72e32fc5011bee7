import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { baseOf, nextAddress, nextMarket, nextUser, placed } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await SpotService.start();
  symbol = await nextMarket(service);
  const maker = await nextUser(service, { USDT: '100000', [baseOf(symbol)]: '1000' });
  trader = await nextUser(service, { USDT: '1000', [baseOf(symbol)]: '10' });
  const rest = (side: string, price: string, quantity: string) =>
    placed(service, maker, { symbol, side, type: 'limit', price, quantity });
  await rest('sell', '100', '1');
  await rest('sell', '110', '1');
  await rest('buy', '90', '5');
});
afterAll(() => service.close());

const preview = (order: object, as = trader) =>
  service.call({
    method: 'POST',
    path: '/api/v1/spot/orders/preview',
    body: { symbol, side: 'buy', ...order },
    as,
  });

describe('POST /spot/orders/preview', () => {
  test('preview: a market buy spends its money level by level, in whole lots', async () => {
    const { status, body } = await preview({ type: 'market', quote_quantity: '155' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      symbol,
      side: 'buy',
      type: 'market',
      tif: 'ioc',
      price: null,
      quantity: null,
      quote_quantity: '155',
      best_price: '100',
      est_worst_price: '110',
      est_filled_quantity: '1.5',
      est_notional: '155',
      needed: '155',
      needed_token: 'USDT',
      available: '1000',
      fee_token: baseOf(symbol),
    });
  });

  test('preview: placing the order then has exactly the previewed result', async () => {
    const order = { type: 'market', quote_quantity: '100' };
    const seen = (await preview(order)).body as Record<string, string>;
    const done = await placed(service, trader, { symbol, side: 'buy', ...order });
    const fills = (done as unknown as { fills: { fee: string; fee_token: string }[] }).fills;
    expect(done).toMatchObject({
      filled_quantity: seen['est_filled_quantity'],
      filled_quote_quantity: seen['est_notional'],
      avg_price: seen['est_avg_price'],
    });
    expect(fills).toMatchObject([{ fee: seen['est_fee'], fee_token: seen['fee_token'] }]);
  });

  test('preview: a limit order fills up to its price and needs the rest as well', async () => {
    const { body } = await preview({ side: 'sell', type: 'limit', price: '90', quantity: '7' });
    expect(body).toMatchObject({
      tif: 'gtc',
      price: '90',
      quantity: '7',
      est_filled_quantity: '5',
      est_notional: '450',
      est_slippage: '0',
      needed: '7',
      needed_token: baseOf(symbol),
      fee_token: 'USDT',
    });
  });

  test('preview: an order that would only rest fills nothing', async () => {
    const { body } = await preview({ type: 'limit', price: '50', quantity: '2' });
    expect(body).toMatchObject({
      best_price: null,
      est_avg_price: null,
      est_filled_quantity: '0',
      est_fee: '0',
      needed: '100',
    });
  });

  test('preview: nothing is placed, and an address without an account has nothing', async () => {
    const stranger = nextAddress();
    const { body } = await preview({ type: 'limit', price: '50', quantity: '2' }, stranger);
    expect(body).toMatchObject({ available: '0' });
    const open = await service.call({ path: '/api/v1/spot/orders/open', as: trader });
    expect((open.body as { items: unknown[] }).items).toEqual([]);
  });

  test.each([
    [{ symbol: 'NOPE' }, 404, 'MARKET_NOT_FOUND'],
    [{ side: 'hold' }, 400, 'invalid side'],
    [{ type: 'limit', quantity: '1' }, 400, 'price required for limit'],
  ] as const)('preview: %j is %i %s', async (order, status, code) => {
    const reply = await preview(order);
    expect([reply.status, reply.body]).toEqual([status, { error: code }]);
  });
});
