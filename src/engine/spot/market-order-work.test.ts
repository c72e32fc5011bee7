import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { SpotMarketState } from './spot-market-state.ts';

const levels = 500;
const market = { orderType: 'market', timeInForce: 'ioc', price: null, quantity: null } as const;
const allMoney = toAmount(10n ** 17n);
const trader = 1;
const poor = 2;

let flow: SpotFlow;

beforeEach(() => {
  flow = new SpotFlow({ seed: 1, accounts: trader });
  flow.open();
  flow.apply({ type: 'openAccount', address: flowAddress(poor) });
  for (let at = 0; at < levels; at += 1) {
    rest('sell', 20_000 + at);
    rest('buy', 10_000 + at);
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

function rest(side: 'buy' | 'sell', price: number): void {
  const order = limitOrder({ side, price: price as Ticks, quantity: 1 as Lots });
  expect(flow.apply(order).rejection).toBeNull();
}

describe('a market order that its account cannot pay', () => {
  it.each([
    ['a buy for money', { side: 'buy', quoteQuantity: allMoney }],
    ['a buy of a quantity', { side: 'buy', quantity: levels as Lots }],
    ['a sell for money', { side: 'sell', quoteQuantity: allMoney }],
  ] as const)('%s is refused without a walk through the book', (_, change) => {
    const amounts = vi.spyOn(SpotMarketState.prototype, 'quoteAmount');
    const order = limitOrder({ accountId: poor as AccountId, ...market, ...change });
    expect(flow.apply(order).rejection).toEqual({ reason: 'insufficient_balance' });
    expect(amounts.mock.calls.length).toBeLessThanOrEqual(2);
  });
});
