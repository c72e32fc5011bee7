import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import type { AttachedTrigger } from '../../futures-commands.ts';
import { type Rules, rulesVersion } from '../../rules.ts';

// An attached order closes its position: an order of its own account that it meets in the book,
// such as the rest of its parent, ends in its place.

function at(price: number): AttachedTrigger {
  return { stopPrice: (price * 10) as Ticks, triggerPriceKind: 'mark' };
}

/** A user whose buy of 2 at 30,000 is half filled and rests, with a stop-loss at 29,000. */
class HalfFilled {
  readonly futures: FuturesFixture;
  readonly user: AccountId;
  readonly maker: AccountId;

  constructor(rules: Rules = rulesVersion) {
    this.futures = new FuturesFixture(btcTerms, rules);
    this.user = this.futures.fund(1, 100_000);
    this.maker = this.futures.fund(2, 100_000);
    this.futures.setIndex(30_000);
    this.futures.place(this.maker, 'sell', { price: 30_000, quantity: 1 });
    this.futures.place(this.user, 'buy', {
      price: 30_000,
      quantity: 2,
      stopLoss: at(29_000),
      takeProfit: at(31_000),
    });
    this.futures.place(this.maker, 'buy', { price: 28_800, quantity: 5 });
  }

  /** Lets the mark fall to 28,900. @returns what became of the user's orders. */
  fall(): readonly string[] {
    return this.futures.setIndex(28_900).flatMap((event) => {
      if (event.type !== 'futuresOrderUpdated' || event.order.accountId !== this.user) return [];
      return [`${event.order.type} ${event.cause} ${event.end ?? ''}`.trim()];
    });
  }

  get quantity(): number {
    return this.futures.position(this.user).quantity;
  }

  get open(): readonly string[] {
    const { futures } = this.futures.engine;
    return futures.listOpenFuturesOrders(this.user, null).map(({ type }) => type);
  }
}

it('closes the position even if the rest of its parent is the best price', () => {
  const trading = new HalfFilled();
  expect(trading.fall()).toEqual([
    'stop_market triggered',
    'take_profit_market canceled sibling_fired',
    'limit expired self_trade',
    'stop_market traded',
  ]);
  expect([trading.quantity, trading.open]).toEqual([0, []]);
});

it('closes it even if another order of the account is in the way', () => {
  const trading = new HalfFilled();
  const { futures, user } = trading;
  futures.place(user, 'buy', { price: 28_950, quantity: 1 });
  futures.place(trading.maker, 'sell', { price: 30_000, quantity: 1 });
  expect(trading.fall()).toEqual([
    'stop_market triggered',
    'take_profit_market canceled sibling_fired',
    'limit expired self_trade',
    'stop_market traded',
  ]);
  expect([trading.quantity, trading.open]).toEqual([0, []]);
});

it('shows this as its self-trade prevention mode, while the parent keeps its own', () => {
  const trading = new HalfFilled();
  const { futures } = trading.futures.engine;
  const modes = futures.listOpenFuturesOrders(trading.user, null).map((o) => o.selfTradeMode);
  expect(modes).toEqual(['expire_taker', 'expire_maker', 'expire_maker']);
});

it('does the same if it was placed under rules 11, once the rules rise', () => {
  const trading = new HalfFilled(11);
  trading.futures.done({ type: 'upgradeRules', rules: rulesVersion });
  trading.fall();
  expect([trading.quantity, trading.open]).toEqual([0, []]);
});

it('ends itself under rules 11, and leaves the position', () => {
  const trading = new HalfFilled(11);
  expect(trading.fall()).toContain('stop_market expired self_trade');
  expect([trading.quantity, trading.open]).toEqual([1_000, ['limit', 'take_profit_market']]);
});
