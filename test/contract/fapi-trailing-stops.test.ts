import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

let service: FapiService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  const { derivatives } = service;
  symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  const maker = await derivatives.nextTrader();
  trader = await derivatives.nextTrader();
  derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 1 });
  derivatives.place(trader, { symbol, side: 'buy', quantity: 1 });
  derivatives.place(maker, { symbol, side: 'buy', price: 105, quantity: 5 });
});
afterAll(() => service.close());

async function markAt(price: string): Promise<void> {
  await service.derivatives.setIndex(symbol, price);
  service.derivatives.advanceTime();
}

test('trailing stop: waits for its activation price, follows the best price, fires at the callback', async () => {
  await markAt('106');
  const { orderId } = await service.done<{ orderId: number }>('POST', '/v1/order', trader, {
    symbol,
    side: 'SELL',
    type: 'TRAILING_STOP_MARKET',
    quantity: 1,
    callbackRate: 1,
    activationPrice: 108,
    workingType: 'MARK_PRICE',
    reduceOnly: true,
  });
  const status = async () => {
    const order = await service.done('GET', '/v1/order', trader, { symbol, orderId });
    return (order as { status: string }).status;
  };
  // Below the activation price a fall of more than 1 % is nothing to it.
  await markAt('104');
  expect(await status()).toBe('NEW');
  await markAt('108');
  await markAt('110');
  await markAt('109');
  expect(await status()).toBe('NEW');
  await markAt('108.8');
  expect(await status()).toBe('FILLED');
  expect(await service.done('GET', '/v2/positionRisk', trader, { symbol })).toMatchObject([
    { positionAmt: '0' },
  ]);
});
