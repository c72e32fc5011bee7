import { expect, test } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../test/support/futures-fixture.ts';
import { toAmount } from '../../domain/amount.ts';
import { contractStatusNow } from './contract-status.ts';

const symbol = 'BTCUSDT';

function begin(): { readonly futures: FuturesFixture; readonly now: () => string } {
  const futures = new FuturesFixture();
  futures.setIndex(30_000);
  const view = futures.engine.futures;
  return { futures, now: () => contractStatusNow(view, view.getFuturesMarket(futuresMarketId)) };
}

test('contract status: a market trades, is halted, and closes', () => {
  const { futures, now } = begin();
  expect(now()).toBe('TRADING');
  futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'halted' });
  expect(now()).toBe('PENDING_TRADING');
  futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted' });
  expect(now()).toBe('CLOSE');
});

test('contract status: SETTLING while a price move has left accounts to be closed', () => {
  const { futures, now } = begin();
  const rich = futures.fund(1, 1_000_000);
  for (let number = 2; number <= 12; number += 1) {
    const poor = futures.fund(number, 1_500);
    futures.place(rich, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(poor, 'buy', { quantity: 0.9 });
  }
  futures.setIndex(20_000);
  expect(now()).toBe('SETTLING');
  futures.advance(1_000);
  expect(now()).toBe('TRADING');
});

test('contract status: SETTLING until a delisted market has no position', () => {
  const { futures, now } = begin();
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(long, 'buy', { quantity: 0.1 });
  const settlementPrice = toAmount(30_000n * 10n ** 8n);
  // More orders than one command ends stand between it and its positions.
  for (let each = 1; each <= 150; each += 1) {
    futures.place(long, 'buy', { price: 29_000, quantity: 0.001 });
    futures.place(short, 'sell', { price: 31_000, quantity: 0.001 });
  }
  futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted', settlementPrice });
  expect(now()).toBe('SETTLING');
  futures.advance(1_000);
  expect(now()).toBe('CLOSE');
});
