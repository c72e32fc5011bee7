import { describe, expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../domain/amount.ts';
import { engineFactory } from '../engine.ts';

const hour = 3_600_000;

describe('futures: trading', () => {
  it('futures: a limit order is matched; both sides hold positions, pay fees and lock margin', () => {
    const futures = new FuturesFixture();
    const [maker, taker] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(maker, 'sell', { price: 30_000, quantity: 1 });
    expect(formatAmount(futures.wallet(maker).orderMargin)).toBe('1500');
    expect(formatAmount(futures.wallet(maker).available)).toBe('8500');
    futures.place(taker, 'buy', { price: 30_010, quantity: 0.4 });
    expect(futures.position(taker).quantity).toBe(400);
    expect(futures.position(maker).quantity).toBe(-400);
    // Taker 5 bps of 12,000; maker 2 bps.
    expect(formatAmount(futures.wallet(taker).walletBalance)).toBe('9994');
    expect(formatAmount(futures.wallet(maker).walletBalance)).toBe('9997.6');
    expect(formatAmount(futures.position(taker).initialMargin)).toBe('600');
    expect(futures.engine.futures.getOpenInterest(futures.position(taker).marketId)).toBe(400);
  });

  it('futures: closing realizes profit and leaves no position', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(long, 'buy', { quantity: 0.1 });
    futures.setIndex(31_000);
    futures.place(short, 'buy', { price: 31_000, quantity: 0.1 });
    futures.place(long, 'sell', { quantity: 0.1 });
    expect(futures.position(long).quantity).toBe(0);
    // 100 of profit less 1.5 and 1.55 of fees.
    expect(formatAmount(futures.wallet(long).walletBalance)).toBe('10096.95');
    expect(formatAmount(futures.wallet(short).walletBalance)).toBe('9898.78');
  });

  it('futures: closing a part realizes its part of the entry; a trade through zero closes and opens', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.4 });
    futures.place(long, 'buy', { quantity: 0.4 });
    expect(formatAmount(futures.position(long).entryNotional)).toBe('12000');
    futures.setIndex(31_000);
    futures.place(short, 'buy', { price: 31_000, quantity: 0.2 });
    futures.place(long, 'sell', { quantity: 0.2 });
    expect(formatAmount(futures.position(long).realizedProfit)).toBe('200');
    expect(formatAmount(futures.position(long).entryNotional)).toBe('6000');
    futures.place(short, 'buy', { price: 31_000, quantity: 0.3 });
    futures.place(long, 'sell', { quantity: 0.3 });
    expect(futures.position(long).quantity).toBe(-100);
    expect(formatAmount(futures.position(long).entryNotional)).toBe('3100');
  });

  it('futures: an order beyond the margin is refused and changes nothing', () => {
    const futures = new FuturesFixture();
    const account = futures.fund(1, 100);
    futures.setIndex(30_000);
    const before = futures.engine.stateHash();
    const order = futures.order(account, 'buy', { price: 30_000, quantity: 0.1 });
    expect(futures.refusal(order)).toBe('insufficient_margin');
    expect(futures.engine.futures.listOpenFuturesOrders(account, null)).toEqual([]);
    expect(futures.engine.stateHash()).not.toBe(before);
  });

  it('futures: reduce-only is refused without a position, and capped to it', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    const order = futures.order(long, 'sell', { price: 31_000, quantity: 1, isReduceOnly: true });
    expect(futures.refusal(order)).toBe('nothing_to_reduce');
    futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(long, 'buy', { quantity: 0.1 });
    const number = futures.place(long, 'sell', { price: 31_000, quantity: 1, isReduceOnly: true });
    expect(futures.engine.futures.findOpenFuturesOrder(number)?.quantity).toBe(100);
    futures.place(short, 'buy', { price: 30_000, quantity: 0.06 });
    futures.place(long, 'sell', { quantity: 0.06 });
    expect(futures.engine.futures.findOpenFuturesOrder(number)?.quantity).toBe(40);
  });

  it('futures: a GTX order that would match is refused', () => {
    const futures = new FuturesFixture();
    const [maker, taker] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(maker, 'sell', { price: 30_000, quantity: 0.1 });
    const order = futures.order(taker, 'buy', { price: 30_000, quantity: 0.1, timeInForce: 'gtx' });
    expect(futures.refusal(order)).toBe('post_only_would_cross');
  });
});

describe('futures: attached triggers', () => {
  const stopLoss = { stopPrice: 280_000 as never, triggerPriceKind: 'mark' } as const;

  it('attached: canceling a parent cascades, even if it was partly filled', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    const parent = futures.place(long, 'buy', { price: 30_000, quantity: 1, stopLoss });
    futures.place(short, 'sell', { quantity: 0.4 });
    futures.done({ type: 'cancelFuturesOrder', accountId: long, orderNumber: parent });
    expect(futures.engine.futures.listOpenFuturesOrders(long, null)).toEqual([]);
    expect(futures.position(long).quantity).toBe(400);
  });

  it('attached: a parent that expires after a fill leaves its protection', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.4 });
    futures.place(long, 'buy', { quantity: 1, stopLoss });
    const [left] = futures.engine.futures.listOpenFuturesOrders(long, null);
    expect(left).toMatchObject({ type: 'stop_market', status: 'new' });
  });
});

describe('futures: time', () => {
  it('funding: is paid once at the full hour, from longs to shorts, and sums to dust', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 1 });
    futures.place(long, 'buy', { quantity: 1 });
    const before = futures.wallet(long).walletBalance;
    futures.setIndex(30_000);
    futures.watch(1_800);
    const events = futures.advance(hour / 2);
    const paid = events.filter((event) => event.type === 'fundingPaid');
    expect(paid.map(({ amount }) => formatAmount(amount))).toEqual(['-0.375', '0.375']);
    expect(formatAmount((futures.wallet(long).walletBalance - before) as never)).toBe('-0.375');
    expect(futures.advance(1_000).some(({ type }) => type === 'fundingPaid')).toBe(false);
    expect(futures.engine.futures.getFundingHeld(futuresMarketId)).toBe(0n);
  });

  it('triggers: a stop fires at its price and closes the position', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(long, 'buy', { quantity: 0.1 });
    futures.place(long, 'sell', {
      orderType: 'stop_market',
      stopPrice: 29_500,
      triggerPriceKind: 'mark',
      isClosePosition: true,
    });
    futures.place(short, 'buy', { price: 29_400, quantity: 0.2 });
    futures.setIndex(29_000);
    futures.advance(1_000);
    futures.now += 31_000;
    futures.setIndex(29_400);
    expect(futures.position(long).quantity).toBe(0);
  });

  it('liquidation: an account at its maintenance margin is closed, and never ends below zero', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 400), futures.fund(2, 100_000)];
    futures.done({ type: 'setLeverage', accountId: long, marketId: 0 as never, leverage: 100 });
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 1 });
    futures.place(long, 'buy', { price: 30_000, quantity: 1 });
    futures.place(short, 'buy', { price: 29_650, quantity: 1 });
    const events = futures.setIndex(29_600);
    const steps = events.flatMap((event) =>
      event.type === 'liquidationProgressed' ? [event.step] : [],
    );
    expect(steps).toContain('finished');
    expect(futures.position(long).quantity).toBe(0);
    expect(futures.wallet(long).walletBalance >= 0n).toBe(true);
    expect(futures.engine.futures.insuranceFund >= 0n).toBe(true);
  });

  it('snapshot: a restored engine is the same engine', () => {
    const futures = new FuturesFixture();
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(30_000);
    futures.place(short, 'sell', { price: 30_000, quantity: 1 });
    futures.place(long, 'buy', { quantity: 0.4 });
    futures.place(long, 'sell', { orderType: 'stop_market', stopPrice: 29_000, quantity: 0.4 });
    futures.advance(5_000);
    const bytes = futures.engine.encodeState();
    const restored = engineFactory.restore(bytes);
    expect(restored.stateHash()).toBe(futures.engine.stateHash());
    expect(restored.encodeState()).toEqual(bytes);
  });
});
