import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import type { AccountId, OrderNumber } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { EngineEvent } from '../events.ts';
import type { FuturesOrderUpdated } from '../futures-events.ts';

// The rules of docs/futures.md, example by example. A tick is 0.1 USDT and a lot 0.001 BTC.

function begin(price = 30_000): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(price);
  return { futures, alice, bob };
}

/** Alice is long and Bob short, at 30,000. */
function beginWithPosition(quantity: number): ReturnType<typeof begin> {
  const begun = begin();
  const { futures, alice, bob } = begun;
  futures.place(bob, 'sell', { price: 30_000, quantity });
  futures.place(alice, 'buy', { quantity });
  return begun;
}

function updates(events: readonly EngineEvent[]): readonly FuturesOrderUpdated[] {
  return events.filter((event) => event.type === 'futuresOrderUpdated');
}

/** What became of the orders, in a few words. */
function describeOrders(events: readonly EngineEvent[]): readonly string[] {
  return updates(events).map(({ order, cause, end }) => {
    return `${order.orderNumber} ${cause} ${order.status}${end === null ? '' : ` by ${end}`}`;
  });
}

function amend(
  futures: FuturesFixture,
  accountId: AccountId,
  orderNumber: OrderNumber,
  terms: { readonly price: number; readonly quantity: number },
) {
  return futures.apply({
    type: 'amendFuturesOrder',
    accountId,
    orderNumber,
    side: null,
    price: Math.round(terms.price * 10) as Ticks,
    priceMatch: 'none',
    quantity: Math.round(terms.quantity * 1_000) as Lots,
    modifyId: null,
  });
}

function openNumbers(futures: FuturesFixture, accountId: AccountId): readonly number[] {
  return futures.engine.futures
    .listOpenFuturesOrders(accountId, null)
    .map(({ orderNumber }) => orderNumber);
}

describe('futures margin', () => {
  it('margin: an order holds its notional over the leverage, 20 by default, until it is gone', () => {
    const { futures, alice } = begin();
    const order = futures.place(alice, 'buy', { price: 29_000, quantity: 1 });
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('1450');
    expect(formatAmount(futures.wallet(alice).available)).toBe('8550');
    futures.done({ type: 'cancelFuturesOrder', accountId: alice, orderNumber: order });
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('0');
    expect(formatAmount(futures.wallet(alice).available)).toBe('10000');
  });

  it('margin: orders of both sides need what the larger side would, closing ones nothing', () => {
    const { futures, alice } = beginWithPosition(0.1);
    futures.place(alice, 'sell', { price: 31_000, quantity: 0.1 });
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('0');
    futures.place(alice, 'sell', { price: 31_000, quantity: 0.1 });
    // 6,200 to sell against 3,000 long: 3,200 short would be 200 more than is held.
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('10');
  });

  it('margin: a market order is checked at its protection price, 5 % from the mark', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 6 });
    // 6.5 at 31,500 over 20 are 10,237.5; 6 are 9,450.
    expect(futures.refusal(futures.order(alice, 'buy', { quantity: 6.5 }))).toBe(
      'insufficient_margin',
    );
    expect(futures.refusal(futures.order(alice, 'buy', { quantity: 6 }))).toBeNull();
  });

  it('margin: at higher leverage the same order holds less; beyond the maximum is refused', () => {
    const { futures, alice } = begin();
    const leverage = { type: 'setLeverage', accountId: alice, marketId: futuresMarketId } as const;
    futures.done({ ...leverage, leverage: 50 });
    futures.place(alice, 'buy', { price: 29_000, quantity: 1 });
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('580');
    expect(futures.refusal({ ...leverage, leverage: 126 })).toBe('leverage_out_of_range');
    expect(futures.refusal({ ...leverage, leverage: 0 })).toBe('leverage_out_of_range');
    expect(futures.refusal({ ...leverage, leverage: 1 })).toBe('insufficient_margin');
  });

  it('margin: unrealized profit counts as margin for orders, and cannot be withdrawn', () => {
    const { futures, alice } = beginWithPosition(1);
    futures.setIndex(31_000);
    futures.advance(1_000);
    const { equity, withdrawable, unrealizedProfit } = futures.wallet(alice);
    expect(unrealizedProfit).toBeGreaterThan(0n);
    expect(equity).toBe(futures.wallet(alice).walletBalance + unrealizedProfit);
    expect(withdrawable).toBe(futures.wallet(alice).available - unrealizedProfit);
  });

  it('fees: base rate x VIP multiplier x (1 - referral discount), rounded up', () => {
    const { futures, alice, bob } = begin();
    futures.done({
      type: 'setAccountFees',
      accountId: alice,
      vipTier: 3,
      vipMultiplierTenths: 7,
      referralDiscountBps: 1_000,
    });
    const fees = futures.engine.futures.getEffectiveFees(alice, futuresMarketId);
    expect(fees).toEqual({ maker: 126_000n, taker: 315_000n });
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.001 });
    futures.place(alice, 'buy', { quantity: 0.001 });
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('9999.99055');
  });
});

describe('futures orders', () => {
  it('client order ids: an id is taken while its order lives, and free afterwards', () => {
    const { futures, alice } = begin();
    const terms = { price: 29_000, quantity: 0.1, clientOrderId: 'mine' };
    const order = futures.place(alice, 'buy', terms);
    expect(futures.refusal(futures.order(alice, 'buy', terms))).toBe('duplicate_client_order_id');
    futures.done({ type: 'cancelFuturesOrder', accountId: alice, orderNumber: order });
    expect(futures.refusal(futures.order(alice, 'buy', terms))).toBeNull();
  });

  it('reduce-only: needs no minimum notional', () => {
    const { futures, alice } = beginWithPosition(0.1);
    const small = { price: 31_000, quantity: 0.001 };
    futures.setIndex(1_000);
    const tiny = { price: 1_000, quantity: 0.001 };
    expect(futures.refusal(futures.order(alice, 'sell', tiny))).toBe('notional_too_small');
    const reducing = futures.order(alice, 'sell', { ...small, isReduceOnly: true });
    expect(futures.refusal(reducing)).toBeNull();
  });

  it('reduce-only: resting orders follow the position down and end with it', () => {
    const { futures, alice, bob } = beginWithPosition(0.3);
    const resting = futures.place(alice, 'sell', {
      price: 31_000,
      quantity: 0.3,
      isReduceOnly: true,
    });
    futures.place(bob, 'buy', { price: 30_000, quantity: 0.3 });
    const first = futures.done(futures.order(alice, 'sell', { quantity: 0.2 }));
    expect(describeOrders(first)).toContain(`${resting} amended new by reduce_only`);
    expect(futures.engine.futures.findOpenFuturesOrder(resting)?.quantity).toBe(100);
    const second = futures.done(futures.order(alice, 'sell', { quantity: 0.1 }));
    expect(describeOrders(second)).toContain(`${resting} expired expired by reduce_only`);
  });

  it('fok: trades whole or not at all; ioc: as far as it goes', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    const terms = { price: 30_000, quantity: 0.2 };
    const fok = futures.done(futures.order(alice, 'buy', { ...terms, timeInForce: 'fok' }));
    expect(describeOrders(fok)).toEqual(['2 placed new', '2 expired expired by time_in_force']);
    const ioc = futures.done(futures.order(alice, 'buy', { ...terms, timeInForce: 'ioc' }));
    expect(describeOrders(ioc).at(-1)).toBe('3 expired expired by time_in_force');
    expect(futures.position(alice).quantity).toBe(100);
  });

  it.each([
    [
      'expire_taker',
      ['3 traded partially_filled', '3 expired expired_in_match by self_trade'],
      [2],
    ],
    ['expire_maker', ['2 expired expired_in_match by self_trade'], [3]],
    ['expire_both', ['2 expired expired_in_match by self_trade'], []],
  ] as const)('self-trade: %s', (selfTradeMode, expected, left) => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'sell', { price: 30_100, quantity: 0.1 });
    const terms = { price: 30_100, quantity: 0.3, selfTradeMode };
    const events = futures.done(futures.order(alice, 'buy', terms));
    expect(describeOrders(events)).toEqual(expect.arrayContaining([...expected]));
    expect(openNumbers(futures, alice)).toEqual(left);
  });

  it('amend: keeps the number, loses the place in the queue, and frees what it no longer needs', () => {
    const { futures, alice, bob } = begin();
    const first = futures.place(alice, 'buy', { price: 29_000, quantity: 0.2 });
    const second = futures.place(bob, 'buy', { price: 29_000, quantity: 0.2 });
    expect(amend(futures, alice, first, { price: 29_000, quantity: 0.1 }).rejection).toBeNull();
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('145');
    const queue = futures.engine.futures.listRestingFuturesOrders(futuresMarketId, 'buy');
    expect(queue.map(({ orderNumber }) => orderNumber)).toEqual([second, first]);
  });

  it('amend: an order that cannot be placed again stays as it was, in its place', () => {
    const { futures, alice, bob } = begin();
    const first = futures.place(alice, 'buy', { price: 29_000, quantity: 0.2 });
    const second = futures.place(bob, 'buy', { price: 29_000, quantity: 0.2 });
    const refused = amend(futures, alice, first, { price: 29_000, quantity: 500 });
    expect(refused.rejection?.reason).toBe('insufficient_margin');
    const queue = futures.engine.futures.listRestingFuturesOrders(futuresMarketId, 'buy');
    expect(queue.map(({ orderNumber }) => orderNumber)).toEqual([first, second]);
    expect(formatAmount(futures.wallet(alice).orderMargin)).toBe('290');
  });

  it('price protection: a market order stops at its band or at the worst price of its user', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_100, quantity: 0.1 });
    futures.place(bob, 'sell', { price: 32_000, quantity: 0.1 });
    const banded = futures.done(futures.order(alice, 'buy', { quantity: 0.2 }));
    expect(describeOrders(banded).at(-1)).toBe('3 expired expired by price_protection');
    futures.place(bob, 'sell', { price: 30_200, quantity: 0.1 });
    const worstPrice = 301_500 as Ticks;
    const bounded = futures.done(futures.order(alice, 'buy', { quantity: 0.1, worstPrice }));
    expect(describeOrders(bounded).at(-1)).toBe('5 expired expired by price_protection');
    expect(futures.position(alice).quantity).toBe(100);
  });
});

describe('futures triggers', () => {
  const attached = (price: number) => ({
    stopPrice: Math.round(price * 10) as Ticks,
    triggerPriceKind: 'mark' as const,
  });

  it('attached triggers: canceling the parent cancels them', () => {
    const { futures, alice } = begin();
    const terms = { takeProfit: attached(33_000), stopLoss: attached(28_000) };
    const parent = futures.place(alice, 'buy', { price: 29_000, quantity: 0.1, ...terms });
    expect(openNumbers(futures, alice)).toEqual([parent, parent + 1, parent + 2]);
    const events = futures.done({
      type: 'cancelFuturesOrder',
      accountId: alice,
      orderNumber: parent,
    });
    expect(describeOrders(events)).toEqual([
      '1 canceled canceled',
      '2 canceled canceled by parent_ended',
      '3 canceled canceled by parent_ended',
    ]);
  });

  it('attached triggers: watch no price until the parent has traded, then close and end', () => {
    const { futures, alice, bob } = begin();
    const terms = { takeProfit: attached(30_500), stopLoss: attached(28_000) };
    futures.place(alice, 'buy', { price: 29_000, quantity: 0.1, ...terms });
    futures.setIndex(31_000);
    expect(openNumbers(futures, alice)).toEqual([1, 2, 3]);
    futures.setIndex(29_000);
    futures.place(bob, 'sell', { price: 29_000, quantity: 0.1 });
    expect(openNumbers(futures, alice)).toEqual([2, 3]);
    futures.place(bob, 'buy', { price: 30_900, quantity: 0.1, selfTradeMode: 'expire_maker' });
    futures.setIndex(31_000);
    futures.advance(1_000);
    expect(futures.position(alice).quantity).toBe(0);
    expect(openNumbers(futures, alice)).toEqual([]);
  });

  it('trigger: an order whose condition is already met is refused', () => {
    const { futures, alice } = beginWithPosition(0.1);
    const stop = { orderType: 'stop_market', stopPrice: 31_000, quantity: 0.1 } as const;
    const order = futures.order(alice, 'sell', { ...stop, triggerPriceKind: 'mark' });
    expect(futures.refusal(order)).toBe('would_trigger_immediately');
  });

  it('close position: closes all that is there when it triggers', () => {
    const { futures, alice, bob } = beginWithPosition(0.3);
    futures.place(alice, 'sell', {
      orderType: 'stop_market',
      stopPrice: 29_000,
      isClosePosition: true,
      triggerPriceKind: 'mark',
    });
    futures.place(bob, 'buy', { price: 28_500, quantity: 1 });
    futures.setIndex(28_900);
    futures.advance(1_000);
    expect(futures.position(alice).quantity).toBe(0);
  });
});

describe('futures markets and wallets', () => {
  it('halted: new orders and amendments are refused, cancels are not', () => {
    const { futures, alice } = begin();
    const order = futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'halted' });
    const another = futures.order(alice, 'buy', { price: 29_000, quantity: 0.1 });
    expect(futures.refusal(another)).toBe('market_halted');
    const changed = amend(futures, alice, order, { price: 28_000, quantity: 0.1 });
    expect(changed.rejection?.reason).toBe('market_halted');
    const cancel = { type: 'cancelFuturesOrder', accountId: alice, orderNumber: order } as const;
    expect(futures.refusal(cancel)).toBeNull();
  });

  it('stale index price: orders that open are refused', () => {
    const { futures, alice, bob } = begin();
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.now += 60_001;
    expect(futures.refusal(futures.order(alice, 'buy', { quantity: 0.1 }))).toBe(
      'index_price_stale',
    );
    const limit = futures.order(alice, 'buy', { price: 30_000, quantity: 0.1 });
    expect(futures.refusal(limit)).toBe('index_price_stale');
  });

  it('transfer: a repeated client id moves nothing; what margins need stays', () => {
    const { futures, alice } = begin();
    const transfer = {
      type: 'transferFunds',
      accountId: alice,
      direction: 'perp_to_spot',
      amount: futures.wallet(alice).withdrawable,
      clientTransferId: 'once',
    } as const;
    futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    expect(futures.refusal(transfer)).toBe('insufficient_balance');
    const rest = { ...transfer, amount: futures.wallet(alice).withdrawable };
    expect(futures.refusal(rest)).toBeNull();
    expect(futures.refusal(rest)).toBeNull();
    expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('145');
  });

  it('transfer: the newest thousand client ids are remembered for each account', () => {
    const { futures, alice, bob } = begin();
    const transfer = (accountId: AccountId, clientTransferId: string) =>
      futures.done({
        type: 'transferFunds',
        accountId,
        direction: 'perp_to_spot',
        amount: toAmount(1n),
        clientTransferId,
      });
    const isRepeated = (events: ReturnType<typeof transfer>): boolean =>
      events.some((event) => event.type === 'fundsTransferred' && event.isRepeated);
    transfer(bob, '0');
    for (let number = 0; number <= 1_000; number += 1) transfer(alice, String(number));
    expect(isRepeated(transfer(alice, '1'))).toBe(true);
    expect(isRepeated(transfer(alice, '1000'))).toBe(true);
    expect(isRepeated(transfer(bob, '0'))).toBe(true);
    expect(isRepeated(transfer(alice, '0'))).toBe(false);
  });

  it('delisted: orders are canceled and positions settled at the settlement price', () => {
    const { futures, alice, bob } = beginWithPosition(0.1);
    futures.place(alice, 'sell', { price: 33_000, quantity: 0.1 });
    const settlementPrice = toAmount(30_000n * 10n ** 8n);
    const symbol = 'BTCUSDT';
    futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted', settlementPrice });
    futures.advance(0);
    expect([futures.position(alice).quantity, futures.position(bob).quantity]).toEqual([0, 0]);
    expect(openNumbers(futures, alice)).toEqual([]);
  });
});
