import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';

// Nobody can take out what nobody put in. Each test is an attack, or the fair outcome that shuts
// it out; a tick is 0.1 USDT and a lot 0.001 BTC.

const unit = 10n ** 8n;

function walletOf(futures: FuturesFixture, accountId: AccountId): string {
  return formatAmount(futures.wallet(accountId).walletBalance);
}

function fundOf(futures: FuturesFixture): string {
  return formatAmount(futures.engine.futures.insuranceFund);
}

/** What the account can take out, and takes. */
function withdrawAll(futures: FuturesFixture, accountId: AccountId): bigint {
  const amount = futures.wallet(accountId).withdrawable;
  if (amount === 0n) return 0n;
  const direction = 'perp_to_spot';
  futures.done({ type: 'transferFunds', accountId, direction, amount, clientTransferId: null });
  return amount;
}

/** The insurance fund has 3,400: the fee of an account that is closed with that much left. */
function fillFund(futures: FuturesFixture, [rich, poor]: readonly AccountId[]): void {
  if (rich === undefined || poor === undefined) return;
  const marketId = futuresMarketId;
  futures.done({ type: 'setLeverage', accountId: poor, marketId, leverage: 25 });
  futures.place(rich, 'sell', { price: 30_000, quantity: 45 });
  futures.place(poor, 'buy', { price: 30_000, quantity: 45 });
  futures.setIndex(28_600);
  futures.advance(0);
  expect(fundOf(futures)).toBe('3400');
}

describe('solvency', () => {
  // Section 8 of the rules: the reservation and the price are fixed once, among 4 accounts as
  // among 144.
  it.each([4, 144])(
    'deleveraging: the fund pays 850 and the rest 28,450, of %i accounts',
    (count) => {
      const futures = new FuturesFixture();
      const [alice, bob, carol] = [
        futures.fund(1, 15_000),
        futures.fund(2, 1_000_000),
        futures.fund(3, 1_000_000),
      ];
      // 67,075 less a fee of 675 and a loss of 63,000 are the 3,400 of the fund.
      const poor = futures.fund(4, 67_075);
      for (let number = 5; number <= count; number += 1) futures.fund(number, 10);
      futures.setIndex(30_000);
      fillFund(futures, [carol, poor]);
      futures.setIndex(30_000);
      futures.advance(120_000);
      futures.setIndex(30_000);
      futures.place(bob, 'sell', { price: 30_000, quantity: 10 });
      futures.place(alice, 'buy', { price: 30_000, quantity: 10 });
      expect(walletOf(futures, alice)).toBe('14850');
      futures.place(carol, 'buy', { price: 28_400, quantity: 4 });
      const before = futures.wallet(bob).walletBalance;
      futures.setIndex(28_400);
      futures.advance(1_000);
      expect(walletOf(futures, alice)).toBe('0');
      expect(fundOf(futures)).toBe('2550');
      expect(futures.position(bob).quantity).toBe(-4_000);
      expect(formatAmount(toAmount(futures.wallet(bob).walletBalance - before))).toBe('9300');
    },
  );

  it('collusion: a fall through bankruptcy is settled before the winner can trade on it', () => {
    const futures = new FuturesFixture();
    const [alice, bob, carol] = [
      futures.fund(1, 1_500),
      futures.fund(2, 10_000),
      futures.fund(3, 100_000),
    ];
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(alice, 'buy', { quantity: 0.9 });
    const ask = futures.place(carol, 'sell', { price: 31_000, quantity: 0.9 });
    futures.setIndex(20_000);
    expect([futures.position(alice).quantity, futures.position(bob).quantity]).toEqual([0, 0]);
    // 0.9 at 28,348.4, the price at which the 1,486.5 of the loser are used up.
    expect(walletOf(futures, bob)).toBe('11481.04');
    expect(walletOf(futures, alice)).toBe('0');
    const out = withdrawAll(futures, alice) + withdrawAll(futures, bob);
    expect(out).toBeLessThanOrEqual(11_500n * unit);
    expect(futures.engine.futures.findOpenFuturesOrder(ask)).not.toBeNull();
  });

  it('accomplice: bids far below the mark do not empty the fund for a solvent account', () => {
    const futures = new FuturesFixture();
    const [alice, bob, carol, poor] = [
      futures.fund(1, 1_500),
      futures.fund(2, 10_000),
      futures.fund(3, 1_000_000),
      futures.fund(4, 67_075),
    ];
    futures.setIndex(30_000);
    fillFund(futures, [carol, poor]);
    futures.setIndex(30_000);
    futures.place(carol, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(alice, 'buy', { quantity: 0.9 });
    futures.place(bob, 'buy', { price: 27_500, quantity: 0.9 });
    futures.setIndex(28_420);
    expect(futures.position(alice).quantity).toBe(0);
    // Closed at the mark against the other side; the bid stays in its place.
    expect(futures.position(bob).quantity).toBe(0);
    expect(futures.engine.futures.insuranceFund).toBeGreaterThanOrEqual(3_400n * unit);
  });

  it('fills: a resting bid without enough margin expires, and others trade', () => {
    const futures = new FuturesFixture();
    const [alice, bob, carol] = [
      futures.fund(1, 1_500),
      futures.fund(2, 10_000),
      futures.fund(3, 10_000),
    ];
    futures.setIndex(30_000);
    const bid = futures.place(alice, 'buy', { price: 30_000, quantity: 0.9 });
    futures.place(carol, 'buy', { price: 28_000, quantity: 0.9 });
    futures.setIndex(28_000);
    const events = futures.done(futures.order(bob, 'sell', { price: 27_900, quantity: 0.9 }));
    const ended = events.find((event) => {
      return event.type === 'futuresOrderUpdated' && event.order.orderNumber === bid;
    });
    expect(ended).toMatchObject({ cause: 'expired', end: 'margin' });
    expect(walletOf(futures, alice)).toBe('1500');
    expect(futures.position(carol).quantity).toBe(900);
  });

  it('trade band: nothing trades further than 10 % from the valuation price', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 100_000), futures.fund(2, 100_000)];
    futures.setIndex(30_000);
    const far = futures.place(alice, 'sell', { price: 33_100, quantity: 0.1 });
    const events = futures.done(futures.order(bob, 'buy', { price: 40_000, quantity: 0.1 }));
    expect(events.at(-1)).toMatchObject({ cause: 'expired', end: 'price_protection' });
    expect(futures.position(bob).quantity).toBe(0);
    expect(futures.engine.futures.findOpenFuturesOrder(far)).not.toBeNull();
    // A resting order that the mark has left behind expires when it is met.
    futures.place(alice, 'sell', { price: 30_000, quantity: 0.1 });
    futures.setIndex(33_500);
    futures.setIndex(33_500);
    const met = futures.done(futures.order(bob, 'buy', { price: 33_500, quantity: 0.1 }));
    expect(met.some((event) => event.type === 'futuresTradeExecuted')).toBe(true);
  });

  // Section 10: a 1,000 and b 1,000, 0.1 BTC at 30,000, settled at 5,000.
  it('delisting: a bankrupt position is settled first; no account ends below zero, nothing is unbacked', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000)];
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { quantity: 0.1 });
    futures.setIndex(5_000);
    futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'delisted' });
    futures.advance(1_000);
    expect([walletOf(futures, alice), walletOf(futures, bob)]).toEqual(['0', '1997.9']);
    expect(formatAmount(futures.engine.futures.futuresFees)).toBe('2.1');
    // A loss of more than 1,000 that had no payer of its own holds money back for a minute.
    expect(futures.wallet(bob).withdrawable).toBe(0n);
    futures.advance(60_000);
    expect(withdrawAll(futures, bob)).toBe(199_790_000_000n);
    expect(futures.engine.futures.badDebt).toBe(0n);
  });

  it('delisting: waits for the close-outs of a price move that is being settled', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
    for (let number = 3; number <= 150; number += 1) futures.fund(number, 10);
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(alice, 'buy', { quantity: 0.9 });
    futures.setIndex(20_000);
    const settlementPrice = toAmount(20_000n * unit);
    const symbol = 'BTCUSDT';
    futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted', settlementPrice });
    futures.advance(0);
    expect(futures.position(bob).quantity).toBe(0);
    expect(walletOf(futures, bob)).toBe('11481.04');
    expect(futures.wallet(alice).walletBalance).toBe(0n);
  });

  it.each([
    [125, 4_000_000n, null],
    [125, 100_000_000n, 'market_terms_invalid'],
    [20, 34_000_000n, 'market_terms_invalid'],
    [20, 33_000_000n, null],
  ] as const)(
    'terms: leverage %i with a maintenance rate of %i: %s',
    (maxLeverage, rate, reason) => {
      const futures = new FuturesFixture();
      const maintenanceMarginRate = rate as typeof btcTerms.maintenanceMarginRate;
      const terms = { ...btcTerms, symbol: 'NEWUSDT', maxLeverage, maintenanceMarginRate };
      expect(futures.refusal({ type: 'createFuturesMarket', terms })).toBe(reason);
    },
  );

  it.each([
    [1n << 52n, null],
    [(1n << 52n) + 1n, 'market_terms_invalid'],
  ])('terms: ticks times lots of the largest order at %i: %s', (product, reason) => {
    // Ticks and lots of 0.0001: one tick of one lot is one unit.
    const fine = 100_000_000_000_000n as typeof btcTerms.tickSize;
    const largest = toAmount(product);
    const futures = new FuturesFixture();
    const terms = {
      ...btcTerms,
      symbol: 'NEWUSDT',
      tickSize: fine,
      lotSize: fine,
      maxNotional: largest,
      maxOpenInterest: largest,
    };
    expect(futures.refusal({ type: 'createFuturesMarket', terms })).toBe(reason);
  });

  it('no counterparty left: the rest is closed at the mark, and the house covers it', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 1_500)];
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(alice, 'buy', { price: 30_000, quantity: 0.9 });
    futures.setIndex(20_000);
    expect([futures.position(alice).quantity, futures.position(bob).quantity]).toEqual([0, 0]);
    expect(futures.wallet(alice).walletBalance).toBe(0n);
    const { badDebt, futuresFees } = futures.engine.futures;
    const held = futures.wallet(bob).walletBalance + futuresFees + badDebt;
    expect(held + futures.engine.futures.insuranceFund).toBe(3_000n * unit);
  });
});
