import { expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import { futuresPriceMax } from '../../../domain/futures-market.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';

it('price: up to 2^52 - 1 ticks, where a level keeps its side', () => {
  const largest = toAmount(1n << 52n);
  const futures = new FuturesFixture({
    ...btcTerms,
    maxNotional: largest,
    maxOpenInterest: largest,
    tickSize: (10n ** 10n) as Decimal,
    lotSize: (10n ** 18n) as Decimal,
  });
  const seller = futures.fund(1, 1_000_000_000);
  futures.setIndex(40_000_000);
  futures.done({
    type: 'setLeverage',
    accountId: seller,
    marketId: futuresMarketId,
    leverage: 1,
  });
  const order = {
    ...futures.order(seller, 'sell', { price: 1 }),
    quantity: 1 as Lots,
  };
  const beyond = { ...order, price: (futuresPriceMax + 1) as Ticks };
  expect(futures.refusal(beyond)).toBe('price_off_tick');
  const events = futures.done({ ...order, price: futuresPriceMax as Ticks });
  const levels = events.filter(({ type }) => type === 'futuresBookLevelChanged');
  expect(levels).toMatchObject([{ side: 'sell', price: futuresPriceMax, quantity: 1 }]);
  const { asks } = futures.engine.futures.getFuturesDepth(futuresMarketId, 1);
  expect(asks).toEqual([{ price: futuresPriceMax, quantity: 1 }]);
});

it.each([0, -1])('price: %d ticks are refused even if the order can only reduce', (ticks) => {
  const futures = new FuturesFixture();
  const [seller, buyer] = [futures.fund(1, 100_000), futures.fund(2, 100_000)];
  futures.setIndex(30_000);
  futures.done(futures.order(seller, 'sell', { price: 30_000, quantity: 1 }));
  futures.done(futures.order(buyer, 'buy', { price: 30_000, quantity: 1 }));
  const closing = futures.order(seller, 'buy', { price: 1, quantity: 1, isReduceOnly: true });
  expect(futures.refusal({ ...closing, price: ticks as Ticks })).toBe('price_off_tick');
  expect(futures.engine.futures.listOpenFuturesOrders(seller, null)).toEqual([]);
  const [order] = futures.done(closing);
  assert(order?.type === 'futuresOrderUpdated', 'the order rests');
  const amendment = {
    type: 'amendFuturesOrder',
    accountId: seller,
    orderNumber: order.order.orderNumber,
    side: null,
    price: ticks as Ticks,
    priceMatch: 'none',
    quantity: order.order.quantity,
    modifyId: null,
  } as const;
  expect(futures.refusal(amendment)).toBe('price_off_tick');
});
