import { expect, it } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import { type DerivativesService, startDerivatives } from '../support/derivatives-service.ts';
import { FapiService } from '../support/fapi-service.ts';

/** A market in which more accounts are without equity than one command closes. */
async function begin(derivatives: DerivativesService) {
  const symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '30000');
  derivatives.advanceTime();
  const bob = await derivatives.nextTrader();
  derivatives.place(bob, { symbol, side: 'sell', price: 30_000, quantity: 1 });
  for (let number = 0; number < 10; number += 1) {
    const loser = await derivatives.nextTrader('155');
    derivatives.place(loser, { symbol, side: 'buy', price: 30_000, quantity: 0.1 });
  }
  derivatives.apply({ type: 'setIndexPrice', symbol, price: toAmount(28_000n * 10n ** 8n) });
  const order = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '27900' };
  return { symbol, bob, order: { ...order, timeInForce: 'GTC' } };
}

it('settling: orders are 409 MARKET_SETTLING until the price move is settled', async () => {
  const derivatives = await startDerivatives();
  const { symbol, bob, order } = await begin(derivatives);
  const isSettling = async () =>
    (await derivatives.read<{ settling: boolean }>(`/api/v1/markets/${symbol}`)).settling;
  expect(await isSettling()).toBe(true);
  expect(await derivatives.post('/api/v1/orders', bob, order)).toMatchObject({
    status: 409,
    error: { code: 'MARKET_SETTLING' },
  });
  derivatives.advanceTime();
  expect(await isSettling()).toBe(false);
  expect((await derivatives.post('/api/v1/orders', bob, order)).status).toBe(200);
  await derivatives.close();
});

it('settling: orders of /fapi are -2010 until the price move is settled', async () => {
  const service = await FapiService.open();
  const { bob, order } = await begin(service.derivatives);
  expect(await service.call('POST', '/v1/order', bob, order)).toMatchObject({
    status: 400,
    body: { code: -2010, msg: 'Market is settling a price move.' },
  });
  service.derivatives.advanceTime();
  expect((await service.call('POST', '/v1/order', bob, order)).status).toBe(200);
  await service.close();
});
