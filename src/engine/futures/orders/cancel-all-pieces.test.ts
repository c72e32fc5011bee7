import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';

const ordersEach = 200;

it('orders ended by a cancel-all: at most 256 in one command; the outcome says `workDue`', () => {
  const fixture = new FuturesFixture();
  const trader = fixture.fund(1, 1_000_000);
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
  for (const symbol of symbols.slice(1)) {
    fixture.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol } });
  }
  for (const [at, symbol] of symbols.entries()) {
    const price = toAmount(30_000n * 10n ** 8n);
    fixture.done({ type: 'setIndexPrice', symbol, price });
    const marketId = at as FuturesMarketId;
    for (let count = 0; count < ordersEach; count += 1) {
      const terms = { price: 29_900, quantity: 0.001, marketId };
      fixture.place(trader, 'buy', terms);
    }
  }
  const pieces: number[] = [];
  const numbers = new Set<number>();
  for (let isDue = true; isDue; ) {
    const events = fixture.done({
      type: 'cancelAllFuturesOrders',
      accountId: trader,
      marketId: null,
      kind: 'all',
    });
    isDue = events.some(({ type }) => type === 'workDue');
    const ended = events.flatMap((event) =>
      event.type === 'futuresOrderUpdated' && event.order.status === 'canceled'
        ? [event.order.orderNumber]
        : [],
    );
    pieces.push(ended.length);
    for (const number of ended) numbers.add(number);
  }
  expect(pieces).toEqual([256, 256, 88]);
  expect(numbers.size).toBe(3 * ordersEach);
  expect(fixture.engine.futures.listOpenFuturesOrders(trader, null)).toEqual([]);
});
