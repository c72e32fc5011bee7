import { expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
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
