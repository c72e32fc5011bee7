import { beforeEach, describe, expect, it } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import type { AccountId, MarketId } from '../../domain/identifiers.ts';
import { type Lots, spotOrdersMax, type Ticks } from '../../domain/spot-market.ts';
import type { PlaceSpotOrder } from '../commands.ts';
import { engineFactory } from '../engine.ts';

let flow: SpotFlow;

beforeEach(() => {
  flow = new SpotFlow({ seed: 1, accounts: 2 });
  flow.open();
});

const trader = 1 as AccountId;
const other = 2 as AccountId;
const [first, second] = [0, 1] as [MarketId, MarketId];

function order(change: Partial<PlaceSpotOrder> = {}): PlaceSpotOrder {
  return limitOrder({ price: 1_000 as Ticks, quantity: 2 as Lots, ...change });
}

function reasonOf(change: Partial<PlaceSpotOrder>): string | null {
  return flow.apply(order(change)).rejection?.reason ?? null;
}

/** Places as many resting orders of the trader as are allowed, half of them on each side. */
function fill(): void {
  for (let at = 0; at < spotOrdersMax; at += 1) {
    const side = at % 2 === 0 ? 'buy' : 'sell';
    const price = (side === 'buy' ? 1_000 : 1_200) as Ticks;
    expect(reasonOf({ side, price })).toBeNull();
  }
}

describe('open orders of an account in a spot market', () => {
  it('are at most 1,000: the 1,001st that would rest is refused and leaves no trace', () => {
    fill();
    expect(spotOrdersMax).toBe(1_000);
    for (const change of [{}, { timeInForce: 'post_only' as const }]) {
      const applied = flow.apply(order(change));
      expect(applied.rejection).toEqual({ reason: 'too_many_orders' });
      expect(applied.events).toEqual([]);
    }
    expect(flow.engine.listOpenOrders(trader, first)).toHaveLength(1_000);
    expect(reasonOf({ accountId: other })).toBeNull();
    expect(reasonOf({ marketId: second })).toBeNull();
  });

  it('count while they rest: after a cancel or a fill there is room for one more', () => {
    fill();
    const [oldest] = flow.engine.listOpenOrders(trader, first);
    if (oldest === undefined) throw new Error('the trader has orders');
    const { orderNumber } = oldest;
    flow.apply({ type: 'cancelSpotOrder', accountId: trader, orderNumber });
    expect([reasonOf({}), reasonOf({})]).toEqual([null, 'too_many_orders']);
    const sell = { accountId: other, side: 'sell', timeInForce: 'ioc' } as const;
    expect(reasonOf({ ...sell, quantity: 1 as Lots })).toBeNull();
    expect(reasonOf({})).toBe('too_many_orders');
    expect(reasonOf({ ...sell, quantity: 1 as Lots })).toBeNull();
    expect([reasonOf({}), reasonOf({})]).toEqual([null, 'too_many_orders']);
  });

  it('do not include orders that do not rest: takers, ioc, fok, market orders', () => {
    fill();
    expect(reasonOf({ accountId: other, side: 'sell', price: 1_100 as Ticks })).toBeNull();
    const price = 1_100 as Ticks;
    expect(reasonOf({ price, quantity: 3 as Lots })).toBe('too_many_orders');
    expect(reasonOf({ price, timeInForce: 'post_only' })).toBe('post_only_would_cross');
    expect(reasonOf({ price: 1_200 as Ticks, quantity: 3 as Lots })).toBe('self_trade');
    expect(reasonOf({ price, quantity: 3 as Lots, timeInForce: 'fok' })).toBeNull();
    expect(reasonOf({ timeInForce: 'ioc' })).toBeNull();
    expect(reasonOf({ price, quantity: 1 as Lots })).toBeNull();
    const market = { orderType: 'market', timeInForce: 'ioc', price: null } as const;
    expect(reasonOf({ ...market, quantity: 1 as Lots })).toBeNull();
    expect(flow.engine.listOpenOrders(trader, first)).toHaveLength(1_000);
  });

  it('are counted the same after a restore', () => {
    fill();
    const restored = engineFactory.restore(flow.engine.encodeState());
    expect(restored.findAccount(flowAddress(1))).toBe(trader);
    const sequence = (restored.sequence + 1) as typeof restored.sequence;
    const stamp = { sequence, timestamp: flow.time as never };
    expect(restored.apply(order(), stamp).rejection).toEqual({ reason: 'too_many_orders' });
  });
});
