import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { formatAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { engineFactory } from '../../engine.ts';

// "Of what is left, 1.25 % of the liquidated notional goes into the insurance fund." Among more
// than 128 accounts a close-out takes several attempts, and the fee is on all of them.

const accountsCount = 140;

interface Attempt {
  readonly futures: FuturesFixture;
  readonly alice: AccountId;
  readonly carol: AccountId;
}

/**
 * Alice is long 1 BTC from 30,000 with 1,485 USDT left, at a mark of 28,600: equity 85 under a
 * maintenance margin of 114.4. Half is sold at 28,540, worse than the mark, and for the other half
 * a ranking has to be made first.
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
  futures.setIndex(28_600);
  futures.done({ type: 'advanceTime' });
  expect(futures.position(alice).quantity).toBe(500);
  expect(insuranceFund(futures)).toBe('0');
  return { futures, alice, carol };
}

function insuranceFund(futures: FuturesFixture): string {
  return formatAmount(futures.engine.futures.insuranceFund);
}

function closeRest({ futures, alice, carol }: Attempt): void {
  futures.place(carol, 'buy', { price: 29_300, quantity: 0.5 });
  futures.advance(1_000);
  expect(futures.position(alice).quantity).toBe(0);
}

describe('liquidation fee', () => {
  it('liquidation fee: of several attempts it is on the whole notional that was closed', () => {
    const attempt = closeHalf();
    closeRest(attempt);
    // 1.25 % of 28,600; of the 1,485 the two halves have lost 730 and 350.
    expect(insuranceFund(attempt.futures)).toBe('357.5');
    expect(formatAmount(attempt.futures.wallet(attempt.alice).walletBalance)).toBe('47.5');
  });

  it('liquidation fee: an engine restored between two attempts charges the same', () => {
    const attempt = closeHalf();
    const { futures } = attempt;
    const hash = futures.engine.stateHash();
    futures.engine = engineFactory.restore(futures.engine.encodeState());
    expect(futures.engine.stateHash()).toBe(hash);
    closeRest(attempt);
    expect(insuranceFund(futures)).toBe('357.5');
    expect(formatAmount(futures.wallet(attempt.alice).walletBalance)).toBe('47.5');
  });

  it('liquidation fee: where prices turn between two attempts it is on what was closed by then', () => {
    const { futures, alice, carol } = closeHalf();
    futures.setIndex(31_000);
    futures.advance(1_000);
    expect(insuranceFund(futures)).toBe('178.75');
    expect(futures.position(alice).quantity).toBe(500);
    // It is owed once.
    futures.advance(1_000);
    expect(insuranceFund(futures)).toBe('178.75');
    // The next close-out begins at nothing: 1.25 % of half a coin at 28,600.
    futures.setIndex(28_600);
    closeRest({ futures, alice, carol });
    expect(insuranceFund(futures)).toBe('357.5');
  });

  it('liquidation fee: it leaves an account that others have saved above its maintenance', () => {
    const { futures, alice } = closeHalf();
    // 40 more are an equity of 95 over a maintenance margin of 57.2: the fee would be 178.75.
    futures.fund(1, 40);
    futures.advance(1_000);
    const { equity, maintenanceMargin } = futures.wallet(alice);
    expect(insuranceFund(futures)).toBe('37.79999999');
    expect(equity).toBe(maintenanceMargin + 1n);
    expect(futures.position(alice).quantity).toBe(500);
  });

  it('liquidation fee: whoever closes the rest himself pays it too', () => {
    const { futures, alice, carol } = closeHalf();
    futures.place(carol, 'buy', { price: 29_300, quantity: 0.5 });
    futures.place(alice, 'sell', { price: 29_300, quantity: 0.5, isReduceOnly: true });
    expect(futures.position(alice).quantity).toBe(0);
    expect(insuranceFund(futures)).toBe('0');
    futures.advance(1_000);
    expect(insuranceFund(futures)).toBe('178.75');
    futures.advance(1_000);
    expect(insuranceFund(futures)).toBe('178.75');
  });
});
