import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import type { SetFuturesMarketStatus } from '../../futures-commands.ts';
import { findFuturesViolations } from '../futures-invariants.ts';

// A delisted market is settled at the mean of its index of the last half hour, in pieces.

const unit = 10n ** 8n;

function delist(
  settlement: number | null = null,
  effectiveAt: number | null = null,
): SetFuturesMarketStatus {
  return {
    type: 'setFuturesMarketStatus',
    symbol: 'BTCUSDT',
    status: 'delisted',
    settlementPrice: settlement === null ? null : toAmount(BigInt(settlement) * unit),
    effectiveAt: effectiveAt as TimestampMs | null,
  };
}

/** Samples of the index, one a second. */
function sample(futures: FuturesFixture, price: number, count: number): void {
  for (let at = 0; at < count; at += 1) {
    if (at % 30 === 0) futures.setIndex(price);
    futures.advance(1_000);
  }
}

/** Everything that is left to do. */
function finish(futures: FuturesFixture): readonly EngineEvent[] {
  const events = futures.advance(0);
  expect(findFuturesViolations(futures.engine.futures)).toEqual([]);
  return events;
}

function walletOf(futures: FuturesFixture, accountId: AccountId): string {
  return formatAmount(futures.wallet(accountId).walletBalance);
}

function stateOf(futures: FuturesFixture): string {
  return futures.engine.futures.getFuturesPrices(0 as FuturesMarketId).priceState;
}

/** a and b with 1,000 each hold 0.1 BTC from 30,000, after ten minutes at 5,000. */
function beginAtMean(): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000)];
  sample(futures, 5_000, 600);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(alice, 'buy', { quantity: 0.1 });
  return { futures, alice, bob };
}

describe('delisting', () => {
  it('accounts below zero at the settlement price are closed first: 0 and 1,997.9 of 2,000', () => {
    const { futures, alice, bob } = beginAtMean();
    futures.done(delist());
    finish(futures);
    expect(stateOf(futures)).toBe('final');
    const { markPrice } = futures.engine.futures.getFuturesPrices(0 as FuturesMarketId);
    expect(formatAmount(markPrice ?? toAmount(0n))).toBe('5000');
    expect([walletOf(futures, alice), walletOf(futures, bob)]).toEqual(['0', '1997.9']);
    expect(formatAmount(futures.engine.futures.futuresFees)).toBe('2.1');
    expect(futures.engine.futures.badDebt).toBe(0n);
    // A deficit of that size keeps money in for a minute.
    futures.advance(60_001);
    expect(futures.wallet(bob).withdrawable).toBe(199_790_000_000n);
  });

  it('with 600 available from the fund the winner gets 2,597.9', () => {
    const { futures, alice, bob } = beginAtMean();
    const amount = toAmount(2_400n * unit);
    const given = { source: 'treasury', reason: null, reference: null } as const;
    futures.done({ type: 'moveHouseFunds', amount, ...given });
    futures.done(delist());
    finish(futures);
    expect([walletOf(futures, alice), walletOf(futures, bob)]).toEqual(['0', '2597.9']);
  });

  it('accounts solvent at the settlement price are closed at it, without a fee', () => {
    const futures = new FuturesFixture();
    const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000)];
    sample(futures, 29_900, 600);
    futures.setIndex(30_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
    futures.place(alice, 'buy', { quantity: 0.1 });
    futures.done(delist());
    finish(futures);
    expect([walletOf(futures, alice), walletOf(futures, bob)]).toEqual(['988.5', '1009.4']);
    expect(futures.engine.futures.insuranceFund).toBe(0n);
  });

  it('settlement price: required of fewer than 600 samples, and within 10 % of the mark', () => {
    const { futures, bob } = beginWithPosition();
    sample(futures, 30_000, 100);
    expect(futures.refusal(delist())).toBe('settlement_price_required');
    expect(futures.refusal(delist(36_000))).toBe('parameter_invalid');
    expect(futures.position(bob).quantity).toBe(-100);
    futures.done(delist(29_000));
    finish(futures);
    // 999.4 and 100 of profit.
    expect(walletOf(futures, bob)).toBe('1099.4');
  });

  it('settlement price: a market without positions needs none', () => {
    const futures = new FuturesFixture();
    const alice = futures.fund(1, 1_000);
    futures.setIndex(30_000);
    const order = futures.place(alice, 'buy', { price: 29_000, quantity: 0.1 });
    futures.done(delist());
    finish(futures);
    expect(futures.engine.futures.findOpenFuturesOrder(order)).toBeNull();
    expect(futures.refusal(futures.order(alice, 'buy', { price: 29_000, quantity: 0.1 }))).toBe(
      'market_delisted',
    );
  });

  it('samples older than half an hour, or of a stale index, do not count', () => {
    const { futures } = beginWithPosition();
    sample(futures, 30_000, 600);
    futures.advance(1_800_000);
    futures.setIndex(30_000);
    expect(futures.refusal(delist())).toBe('settlement_price_required');
    // Stale from the 61st second on: 60 samples.
    for (let at = 0; at < 700; at += 1) futures.advance(1_000);
    expect(futures.refusal(delist())).toBe('settlement_price_required');
  });

  it('planned: it stays listed, accepts only reducing orders for half an hour, and begins on time', () => {
    const { futures, alice, bob } = beginWithPosition();
    const at = futures.now + 3_600_000;
    futures.done(delist(null, at));
    const prices = () => futures.engine.futures.getFuturesPrices(0 as FuturesMarketId);
    expect(prices().delistingAt).toBe(at);
    const opening = () => futures.order(alice, 'buy', { price: 29_990, quantity: 0.001 });
    futures.place(alice, 'buy', { price: 29_990, quantity: 0.001 });
    futures.advance(1_800_000);
    futures.setIndex(30_000);
    expect(futures.refusal(opening())).toBe('market_delisting');
    futures.place(alice, 'sell', { price: 30_100, quantity: 0.05 });
    sample(futures, 30_000, 1_799);
    expect(futures.position(alice).quantity).toBe(100);
    futures.advance(1_000);
    expect([futures.position(alice).quantity, futures.position(bob).quantity]).toEqual([0, 0]);
    expect(prices().delistingAt).toBeNull();
    expect(stateOf(futures)).toBe('final');
  });

  it('planned: the status listed cancels it', () => {
    const { futures, alice } = beginWithPosition();
    futures.done(delist(null, futures.now + 1_000));
    futures.done({ type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'listed' });
    sample(futures, 30_000, 700);
    expect(futures.position(alice).quantity).toBe(100);
    futures.place(alice, 'buy', { price: 29_990, quantity: 0.001 });
  });

  it('planned: without enough prices it waits, and accepts only reducing orders', () => {
    const { futures, alice } = beginWithPosition();
    futures.done(delist(null, futures.now + 1_000));
    sample(futures, 30_000, 500);
    expect(futures.position(alice).quantity).toBe(100);
    const opening = futures.order(alice, 'buy', { price: 29_990, quantity: 0.001 });
    expect(futures.refusal(opening)).toBe('market_delisting');
    futures.done(delist(30_000));
    finish(futures);
    expect(futures.position(alice).quantity).toBe(0);
  });

  it('pieces: thousands of orders and positions, the same with a restore in each of them', () => {
    const live = manyPositions();
    const restored = manyPositions();
    expect(live.engine.stateHash()).toBe(restored.engine.stateHash());
    for (const futures of [live, restored]) futures.done(delist());
    let pieces = 0;
    for (; live.engine.futures.getOpenInterest(0 as FuturesMarketId) > 0; pieces += 1) {
      restored.engine = engineFactory.restore(restored.engine.encodeState());
      const events = live.done({ type: 'advanceTime' });
      expect(restored.done({ type: 'advanceTime' })).toEqual(events);
      expect(restored.engine.stateHash()).toBe(live.engine.stateHash());
      const ended = events.filter((event) => {
        return event.type === 'futuresOrderUpdated' && event.end === 'market_delisted';
      });
      expect(ended.length).toBeLessThanOrEqual(257);
      const trades = events.filter(({ type }) => type === 'futuresTradeExecuted');
      expect(trades.length).toBeLessThanOrEqual(1_000);
    }
    expect(pieces).toBeGreaterThan(4);
    finish(live);
  });
});

function beginWithPosition(): { futures: FuturesFixture; alice: AccountId; bob: AccountId } {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000)];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(alice, 'buy', { quantity: 0.1 });
  return { futures, alice, bob };
}

/** 1,200 longs of 0.001 BTC against one short, and 1,200 resting orders. */
function manyPositions(): FuturesFixture {
  const futures = new FuturesFixture(btcTerms);
  const house = futures.fund(1, 1_000_000);
  const accounts = Array.from({ length: 1_200 }, (_, at) => futures.fund(at + 2, 100));
  sample(futures, 30_000, 600);
  futures.place(house, 'sell', { price: 30_000, quantity: 1.2 });
  for (const accountId of accounts) {
    futures.place(accountId, 'buy', { price: 30_000, quantity: 0.001 });
    futures.place(accountId, 'sell', { price: 30_500, quantity: 0.001, isReduceOnly: true });
  }
  return futures;
}
