import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../../domain/identifiers.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import { engineFactory } from '../../engine.ts';
import type { AttachedTrigger, PlaceFuturesOrder } from '../../futures-commands.ts';
import { type Rules, rulesVersion } from '../../rules.ts';
import { findSolvencyViolations } from '../solvency-audit.ts';

// A child holds its parent, its sibling, and the position number at which it was armed. It covers
// what the parent has filled in that position number, is reduce-only, and fires only while the
// number is the same.

function at(price: number): AttachedTrigger {
  return { stopPrice: (price * 10) as Ticks, triggerPriceKind: 'mark' };
}

type ParentTerms = Partial<Pick<PlaceFuturesOrder, 'timeInForce' | 'goodTill' | 'takeProfit'>>;

/** A user, a maker on both sides, and a price. */
class Trading {
  readonly futures: FuturesFixture;
  readonly user: AccountId;
  readonly maker: AccountId;

  constructor(rules: Rules = rulesVersion) {
    this.futures = new FuturesFixture(btcTerms, rules);
    this.user = this.futures.fund(1, 100_000);
    this.maker = this.futures.fund(2, 100_000);
    this.setIndex(30_000);
  }

  /** The user buys 2 at 30,000, of which as many are filled as are offered. */
  buyTwo(offered: number, terms: ParentTerms = {}): OrderNumber {
    if (offered > 0) this.futures.place(this.maker, 'sell', { price: 30_000, quantity: offered });
    return this.futures.place(this.user, 'buy', {
      price: 30_000,
      quantity: 2,
      stopLoss: at(29_000),
      ...terms,
    });
  }

  /** The maker fills more of the user's resting order. */
  fill(quantity: number): void {
    this.futures.place(this.maker, 'sell', { price: 30_000, quantity, timeInForce: 'ioc' });
  }

  /** The user trades with the maker at a price that its resting bid does not meet. */
  trade(side: 'buy' | 'sell', quantity: number, price = 30_005): void {
    const other = side === 'buy' ? 'sell' : 'buy';
    this.futures.place(this.maker, other, { price, quantity });
    this.futures.place(this.user, side, { price, quantity });
  }

  setIndex(price: number): void {
    this.futures.setIndex(price);
    expect(findSolvencyViolations(this.futures.engine.futures)).toEqual([]);
  }

  /** The mark falls to 28,900 while the maker bids for everything there. */
  fall(): void {
    this.futures.place(this.maker, 'buy', { price: 28_800, quantity: 5 });
    this.setIndex(28_900);
  }

  cancelAll(accountId: AccountId): void {
    this.futures.done({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
  }

  upgrade(): void {
    this.futures.done({ type: 'upgradeRules', rules: rulesVersion });
    expect(findSolvencyViolations(this.futures.engine.futures)).toEqual([]);
  }

  restore(): void {
    const { engine } = this.futures;
    this.futures.engine = engineFactory.restore(engine.encodeState());
    expect(this.futures.engine.stateHash()).toBe(engine.stateHash());
  }

  get quantity(): number {
    return this.futures.position(this.user).quantity;
  }

  get number(): number {
    return this.futures.engine.futures.getPositionNumber(this.user, futuresMarketId);
  }

  protection(orderNumber: number) {
    return this.futures.engine.futures.findProtection(orderNumber as OrderNumber);
  }

  get open(): readonly string[] {
    const { futures } = this.futures.engine;
    return futures.listOpenFuturesOrders(this.user, null).map(({ type }) => type);
  }

  /** What has become of the user's orders in the events, except for trades. */
  told(events: readonly { readonly type: string }[]): readonly string[] {
    return events.flatMap((event) => {
      const update = event as ReturnType<FuturesFixture['setIndex']>[number];
      if (update.type !== 'futuresOrderUpdated' || update.order.accountId !== this.user) return [];
      if (update.cause === 'traded') return [];
      return [`${update.order.type} ${update.cause} ${update.end ?? ''}`.trim()];
    });
  }
}

describe('position numbers', () => {
  it('gets a new number each time it leaves zero or reverses', () => {
    const trading = new Trading();
    expect(trading.number).toBe(0);
    trading.trade('buy', 1);
    expect(trading.number).toBe(1);
    trading.trade('buy', 1);
    trading.trade('sell', 1);
    expect(trading.number).toBe(1);
    trading.trade('sell', 1);
    expect([trading.quantity, trading.number]).toEqual([0, 1]);
    trading.trade('sell', 1);
    expect(trading.number).toBe(2);
    trading.trade('buy', 3);
    expect([trading.quantity, trading.number]).toEqual([2_000, 3]);
    trading.restore();
    expect(trading.number).toBe(3);
    trading.trade('sell', 2);
    trading.restore();
    trading.trade('sell', 1);
    expect(trading.number).toBe(4);
  });
});

describe('attached orders and position numbers', () => {
  it('example: buy 2, 1 filled, closed, the rest expires: nothing is left, a new long is untouched', () => {
    const trading = new Trading();
    const goodTill = (trading.futures.now + 1_000) as TimestampMs;
    trading.buyTwo(1, { timeInForce: 'gtd', goodTill });
    trading.trade('sell', 1);
    trading.setIndex(30_000);
    trading.futures.advance(1_000);
    expect(trading.open).toEqual([]);
    trading.trade('buy', 1);
    trading.fall();
    expect(trading.quantity).toBe(1_000);
  });

  it('its position is closed manually while the parent lives: a new position is not its own', () => {
    const trading = new Trading();
    trading.buyTwo(1);
    trading.trade('sell', 1);
    expect(trading.open).toEqual(['limit', 'stop_market']);
    trading.trade('buy', 3);
    // The parent's own price is not reached, so no fill belongs to the new position.
    trading.cancelAll(trading.maker);
    trading.futures.place(trading.maker, 'buy', { price: 30_001, quantity: 5 });
    const events = trading.futures.setIndex(28_950);
    expect(trading.told(events)).toEqual([]);
    expect(trading.quantity).toBe(3_000);
    expect(trading.open).toEqual(['limit', 'stop_market']);
  });

  it('waits for a next fill if the parent lives, and covers only that', () => {
    const trading = new Trading();
    const parent = trading.buyTwo(1);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 1, coveredQuantity: 1_000 });
    trading.trade('sell', 1);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: null, coveredQuantity: 0 });
    trading.trade('buy', 3);
    trading.restore();
    trading.fill(0.5);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 2, coveredQuantity: 500 });
    expect(trading.quantity).toBe(3_500);
    trading.cancelAll(trading.maker);
    trading.futures.place(trading.maker, 'buy', { price: 30_001, quantity: 5 });
    const events = trading.futures.setIndex(28_950);
    expect(trading.told(events)).toEqual(['stop_market triggered']);
    expect(trading.quantity).toBe(3_000);
  });

  it('covers what the parent has filled in that position number, not what was there before', () => {
    const trading = new Trading();
    trading.trade('buy', 3);
    const parent = trading.buyTwo(2);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 1, coveredQuantity: 2_000 });
    trading.fall();
    expect(trading.quantity).toBe(3_000);
  });

  it('is reduce-only: it closes only what is left of the position', () => {
    const trading = new Trading();
    trading.buyTwo(2);
    trading.trade('sell', 1.5);
    trading.fall();
    expect(trading.quantity).toBe(0);
    expect(trading.open).toEqual([]);
  });

  it('if the parent reverses a short it covers what the parent has opened', () => {
    const trading = new Trading();
    trading.trade('sell', 0.5);
    const parent = trading.buyTwo(2);
    expect([trading.quantity, trading.number]).toEqual([1_500, 2]);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 2, coveredQuantity: 1_500 });
  });

  it('if the parent only reduces a short nothing is armed, and nothing is left when it is filled', () => {
    const trading = new Trading();
    trading.trade('sell', 3);
    const parent = trading.buyTwo(1);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: null, coveredQuantity: 0 });
    trading.setIndex(28_900);
    expect(trading.open).toEqual(['limit', 'stop_market']);
    trading.setIndex(30_000);
    trading.fill(1);
    expect(trading.open).toEqual([]);
    expect(trading.quantity).toBe(-1_000);
  });

  it('ends when its parent ends unfilled', () => {
    const trading = new Trading();
    const goodTill = (trading.futures.now + 1_000) as TimestampMs;
    trading.buyTwo(0, { timeInForce: 'gtd', goodTill, takeProfit: at(31_000) });
    trading.setIndex(30_000);
    expect(trading.told(trading.futures.advance(1_000))).toEqual([
      'limit expired good_till_date',
      'take_profit_market canceled parent_ended',
      'stop_market canceled parent_ended',
    ]);
  });

  it('ends when its user cancels its parent, even if a part is filled and held', () => {
    const trading = new Trading();
    const orderNumber = trading.buyTwo(1, { takeProfit: at(31_000) });
    const cancel = { type: 'cancelFuturesOrder', accountId: trading.user, orderNumber } as const;
    expect(trading.told(trading.futures.done(cancel))).toEqual([
      'limit canceled',
      'take_profit_market canceled parent_ended',
      'stop_market canceled parent_ended',
    ]);
    expect(trading.quantity).toBe(1_000);
  });

  it('ends when its sibling fires, though the account still holds more', () => {
    const trading = new Trading();
    trading.trade('buy', 3);
    trading.buyTwo(2, { takeProfit: at(31_000) });
    trading.futures.place(trading.maker, 'buy', { price: 30_900, quantity: 5 });
    const events = trading.futures.setIndex(31_050);
    expect(trading.told(events)).toEqual([
      'take_profit_market triggered',
      'stop_market canceled sibling_fired',
    ]);
    expect(trading.quantity).toBe(3_000);
    expect(trading.open).toEqual([]);
  });

  it('stays with a parent that expired while what it filled is held, and ends with the position', () => {
    const trading = new Trading();
    const goodTill = (trading.futures.now + 1_000) as TimestampMs;
    trading.buyTwo(1, { timeInForce: 'gtd', goodTill });
    trading.setIndex(30_000);
    trading.futures.advance(1_000);
    expect(trading.open).toEqual(['stop_market']);
    trading.futures.place(trading.maker, 'buy', { price: 30_005, quantity: 1 });
    const sell = trading.futures.order(trading.user, 'sell', { price: 30_005, quantity: 1 });
    expect(trading.told(trading.futures.done(sell))).toEqual([
      'limit placed',
      'stop_market expired position_closed',
    ]);
  });

  it('ends if its position is closed and a new one opened within the same command', () => {
    const trading = new Trading();
    trading.buyTwo(2);
    expect(trading.open).toEqual(['stop_market']);
    trading.trade('sell', 3);
    expect([trading.quantity, trading.number]).toEqual([-1_000, 2]);
    expect(trading.open).toEqual([]);
  });

  it('children on both sides: the one that fires reverses nothing, and no earlier one fires on the new side', () => {
    const trading = new Trading();
    // A long of 2 with a stop under it, then a short of 1 turned from it with a stop above it.
    trading.buyTwo(2, { takeProfit: at(31_000) });
    trading.futures.place(trading.maker, 'buy', { price: 30_000, quantity: 3 });
    trading.futures.place(trading.user, 'sell', {
      price: 30_000,
      quantity: 3,
      takeProfit: at(29_000),
      stopLoss: at(31_000),
    });
    expect(trading.quantity).toBe(-1_000);
    expect(trading.open).toEqual(['take_profit_market', 'stop_market']);
    trading.futures.place(trading.maker, 'sell', { price: 31_050, quantity: 5 });
    const events = trading.futures.setIndex(31_100);
    expect(trading.told(events)).toEqual([
      'stop_market triggered',
      'take_profit_market canceled sibling_fired',
    ]);
    expect([trading.quantity, trading.open]).toEqual([0, []]);
  });

  it('two parents whose children are due at once: the second closes only what it covers', () => {
    const trading = new Trading();
    trading.buyTwo(2);
    const second = trading.buyTwo(2);
    expect(trading.protection(second + 1)).toEqual({ positionNumber: 1, coveredQuantity: 2_000 });
    trading.trade('sell', 2.5);
    trading.fall();
    // The first to fire closes the position; the other finds its position over.
    expect([trading.quantity, trading.open]).toEqual([0, []]);
  });
});

describe('attached orders of rules 11', () => {
  it('protect the positions that they find when the rules rise, or wait', () => {
    const trading = new Trading(11);
    const parent = trading.buyTwo(1);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: null, coveredQuantity: 0 });
    trading.upgrade();
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 0, coveredQuantity: 1_000 });
    trading.restore();
    trading.futures.place(trading.maker, 'buy', { price: 30_001, quantity: 5 });
    expect(trading.told(trading.futures.setIndex(28_950))).toEqual(['stop_market triggered']);
    expect(trading.quantity).toBe(0);
  });

  it('one that watches a price without a position waits once the rules rise', () => {
    const trading = new Trading(11);
    const parent = trading.buyTwo(1);
    trading.trade('sell', 1);
    trading.upgrade();
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: null, coveredQuantity: 0 });
    trading.restore();
    trading.trade('buy', 3);
    expect(trading.number).toBe(1);
    trading.cancelAll(trading.maker);
    trading.futures.place(trading.maker, 'buy', { price: 30_001, quantity: 5 });
    expect(trading.told(trading.futures.setIndex(28_950))).toEqual([]);
    expect(trading.quantity).toBe(3_000);
  });

  it('one whose parent has not traded keeps waiting, and is armed by its first fill', () => {
    const trading = new Trading(11);
    const parent = trading.buyTwo(0);
    trading.upgrade();
    trading.fill(2);
    expect(trading.protection(parent + 1)).toEqual({ positionNumber: 1, coveredQuantity: 2_000 });
  });

  it('under rules 11 it closes whatever the account then holds', () => {
    const trading = new Trading(11);
    trading.buyTwo(1);
    trading.trade('sell', 1);
    trading.trade('buy', 3);
    trading.cancelAll(trading.maker);
    trading.futures.place(trading.maker, 'buy', { price: 30_001, quantity: 5 });
    expect(trading.told(trading.futures.setIndex(28_950))).toEqual(['stop_market triggered']);
    expect(trading.quantity).toBe(1_000);
  });
});

it.each([
  [11, 2],
  [12, 1],
] as const)(
  'under rules %i the end of one whose parent ends with the position is reported %i times',
  (rules, times) => {
    const trading = new Trading(rules);
    trading.trade('sell', 3);
    const isReduceOnly = true;
    trading.futures.place(trading.maker, 'sell', { price: 30_000, quantity: 1 });
    trading.futures.place(trading.user, 'buy', {
      price: 30_000,
      quantity: 2,
      isReduceOnly,
      stopLoss: at(29_000),
    });
    trading.futures.place(trading.maker, 'sell', { price: 30_005, quantity: 2 });
    const buy = trading.futures.order(trading.user, 'buy', { price: 30_005, quantity: 2 });
    const events = trading.futures.done({ ...buy, selfTradeMode: 'expire_maker' });
    expect(trading.told(events).filter((told) => told.startsWith('stop_market'))).toHaveLength(
      times,
    );
  },
);
