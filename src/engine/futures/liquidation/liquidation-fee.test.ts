import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';

// A close-out of several commands: among more than 128 accounts a ranking has to be made first.
// Its prices are fixed when it begins, its market settles until it is over, and its fee of 1.25 %
// is on all that was closed.

const accountsCount = 140;

interface Attempt {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  readonly carol: AccountId;
}

/**
 * Alice is long 1 BTC from 30,000 with 1,485 USDT left, at a mark of 28,590: equity 75 under two
 * thirds of a maintenance margin of 114.36. Half is sold at 28,540, and for the rest a ranking is to be made.
 */
function closeHalf(): Attempt {
  const futures = new FuturesFixture();
  const alice = futures.fund(1, 1_500);
  const bob = futures.fund(2, 100_000);
  const carol = futures.fund(3, 100_000);
  for (let number = 0; number < accountsCount; number += 1) futures.fund(10 + number, 100);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 1 });
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  futures.place(carol, 'buy', { price: 28_540, quantity: 0.5 });
  futures.setIndex(28_590);
  expect(futures.position(alice).quantity).toBe(500);
  expect(insuranceFund(futures)).toBe('0');
  return { futures, alice, carol };
}

function insuranceFund(futures: FuturesFixture): string {
  return formatAmount(futures.engine.futures.insuranceFund);
}

/** What 1,000 that come in meanwhile are in the end. */
function closeRest({ futures, alice }: Attempt): void {
  futures.fund(1, 1_000);
  futures.advance(1_000);
  expect(futures.position(alice).quantity).toBe(0);
  // 1.25 % of 28,590; the two halves have lost 730 and, at the mark of 28,590, 705.
  expect(insuranceFund(futures)).toBe('357.375');
  expect(formatAmount(futures.wallet(alice).walletBalance)).toBe('692.625');
}

describe('a close-out of several commands', () => {
  it('liquidation fee: of several attempts it is on the whole notional that was closed', () => {
    closeRest(closeHalf());
  });

  it('liquidation fee: an engine restored between two attempts charges the same', () => {
    const attempt = closeHalf();
    const { futures } = attempt;
    const hash = futures.engine.stateHash();
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(futures.engine.stateHash()).toBe(hash);
    closeRest(attempt);
  });

  it('final stage: it completes at the price that it began with, wherever the mark goes', () => {
    const { futures, alice } = closeHalf();
    futures.setIndex(31_000);
    futures.advance(1_000);
    expect(futures.position(alice).quantity).toBe(0);
    // 1,485 less 730 and 705; the fee takes what is left.
    expect(insuranceFund(futures)).toBe('50');
  });

  it('settling: until it is over the market does not trade, and no withdrawal is possible', () => {
    const { futures, alice, carol } = closeHalf();
    const order = futures.order(carol, 'buy', { price: 28_000, quantity: 0.1 });
    expect(futures.refusal(order)).toBe('market_settling');
    const own = futures.order(alice, 'sell', { price: 29_000, quantity: 0.1 });
    expect(futures.refusal(own)).toBe('market_settling');
    expect(formatAmount(futures.wallet(carol).withdrawable)).toBe('0');
    futures.advance(1_000);
    expect(futures.refusal(order)).toBeNull();
    expect(futures.wallet(carol).withdrawable).toBeGreaterThan(0n);
  });
});
