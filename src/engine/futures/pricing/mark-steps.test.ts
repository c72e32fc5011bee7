import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { findFuturesViolations } from '../futures-invariants.ts';
import { findSolvencyViolations } from '../solvency-audit.ts';

const unit = 10n ** 8n;

function markOf(futures: FuturesFixture): bigint | null {
  return futures.engine.futures.getFuturesPrices(futuresMarketId).markPrice;
}

/** Quotes around 2 % over an index of 30,000 for half a minute, and then a trade there. */
function walkUp(futures: FuturesFixture, bidder: AccountId, seller: AccountId): void {
  futures.place(bidder, 'buy', { price: 30_500, quantity: 0.002 });
  futures.place(seller, 'sell', { price: 30_720, quantity: 0.002 });
  futures.watch(31);
  expect(markOf(futures)).toBe(30_000n * unit);
  futures.place(seller, 'sell', { price: 30_600, quantity: 0.001 });
  futures.place(bidder, 'buy', { price: 30_600, quantity: 0.001 });
}

describe('steps of the mark price', () => {
  // In one step of 2 % the fund pays 875 for the short, and the three have 81,793 of 81,000.
  it('attack: three accounts make no gap for which the insurance fund pays', () => {
    const futures = new FuturesFixture();
    const funds = [1_000, 40_000, 40_000];
    const group = funds.map((usdt, at) => futures.fund(at + 1, usdt));
    const [short, long, seller] = group as [AccountId, AccountId, AccountId];
    const amount = toAmount(10_000n * unit);
    const money = { amount, source: 'treasury', reason: null, reference: null } as const;
    futures.done({ type: 'moveHouseFunds', ...money });
    futures.setIndex(30_000);
    const marketId = futuresMarketId;
    futures.done({ type: 'setLeverage', accountId: short, marketId, leverage: 125 });
    futures.place(long, 'buy', { price: 30_000, quantity: 3 });
    futures.place(short, 'sell', { price: 30_000, quantity: 3 });
    walkUp(futures, long, seller);
    futures.place(seller, 'sell', { price: 30_610, quantity: 3 });
    futures.watch(25);
    expect(futures.position(short).quantity).toBe(0);
    const equities = group.map((accountId) => futures.wallet(accountId).equity);
    expect(equities.reduce((sum, equity) => sum + equity, 0n)).toBeLessThan(81_000n * unit);
    expect(futures.engine.futures.insuranceFund).toBeGreaterThanOrEqual(amount);
    expect(findFuturesViolations(futures.engine.futures)).toEqual([]);
    expect(findSolvencyViolations(futures.engine.futures)).toEqual([]);
  });

  it('are a quarter of the base maintenance rate, and the index takes the mark along at once', () => {
    const futures = new FuturesFixture();
    const [bidder, seller] = [futures.fund(1, 40_000), futures.fund(2, 40_000)];
    futures.setIndex(30_000);
    walkUp(futures, bidder, seller);
    futures.advance(1_000);
    expect(markOf(futures)).toBe(30_030n * unit);
    futures.setIndex(30_000);
    expect(markOf(futures)).toBe(30_060n * unit);
    // 30,060 x 27,000 / 30,000, and 27.
    futures.setIndex(27_000);
    expect(markOf(futures)).toBe(27_081n * unit);
  });

  it.each([11, 12] as const)('rules %d: there are none, and the mark price jumps', (rules) => {
    const futures = new FuturesFixture(btcTerms, rules);
    const [bidder, seller] = [futures.fund(1, 40_000), futures.fund(2, 40_000)];
    futures.setIndex(30_000);
    walkUp(futures, bidder, seller);
    futures.advance(1_000);
    expect(markOf(futures)).toBe(30_600n * unit);
  });

  it('wait until all accounts are judged and closed', () => {
    const futures = new FuturesFixture();
    const [bidder, seller] = [futures.fund(1, 90_000), futures.fund(2, 40_000)];
    const shorts = Array.from({ length: 40 }, (_, at) => futures.fund(at + 3, 4));
    futures.setIndex(30_000);
    futures.place(bidder, 'buy', { price: 30_000, quantity: 0.4 });
    for (const accountId of shorts) {
      futures.done({ type: 'setLeverage', accountId, marketId: futuresMarketId, leverage: 125 });
      futures.place(accountId, 'sell', { price: 30_000, quantity: 0.01 });
    }
    walkUp(futures, bidder, seller);
    let waited = 0;
    for (let command = 0; command < 60; command += 1) {
      const isSettling = futures.engine.futures.isFuturesMarketSettling(futuresMarketId);
      const before = markOf(futures);
      futures.done({ type: 'advanceTime' });
      if (!isSettling) continue;
      waited += 1;
      expect(markOf(futures)).toBe(before);
    }
    expect(waited).toBeGreaterThan(3);
    expect(shorts.map((accountId) => futures.position(accountId).quantity)).toEqual(
      shorts.map(() => 0),
    );
    expect(futures.engine.futures.badDebt).toBe(0n);
  });
});
