import { expect, it } from 'vitest';
import { FuturesFixture, futuresMarketId } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { Command } from '../../commands.ts';
import { type Engine, engineFactory } from '../../engine.ts';

// An account that never traded is left out of a snapshot; nothing else may be.

const accountId = 1 as AccountId;
const noFees = { vipTier: 0, vipMultiplierTenths: 10, referralDiscountBps: 0 };
const setFees = { type: 'setAccountFees', accountId } as const;

/** An account whose perp wallet was emptied. */
function begin(): FuturesFixture {
  const futures = new FuturesFixture();
  futures.fund(1, 10);
  const amount = futures.wallet(accountId).walletBalance;
  const out = { direction: 'perp_to_spot', amount, clientTransferId: null } as const;
  futures.done({ type: 'transferFunds', accountId, ...out });
  return futures;
}

it.each<[string, Command]>([
  ['a VIP tier', { ...setFees, ...noFees, vipTier: 1 }],
  ['a VIP multiplier', { ...setFees, ...noFees, vipMultiplierTenths: 9 }],
  ['a referral discount', { ...setFees, ...noFees, referralDiscountBps: 1 }],
  ['a leverage', { type: 'setLeverage', accountId, marketId: futuresMarketId, leverage: 7 }],
])('snapshot: an account of which only %s is known is restored with it', (_name, command) => {
  const futures = begin();
  futures.done(command);
  const { engine } = futures;
  const restored = engineFactory.restore(engine.encodeState());
  for (const read of [
    (of: Engine) => of.futures.getFeeTerms(accountId),
    (of: Engine) => of.futures.getPosition(accountId, futuresMarketId),
  ]) {
    expect(read(restored)).toEqual(read(engine));
  }
  expect(restored.stateHash()).toBe(engine.stateHash());
});

it('snapshot: fees that are set back to none leave nothing to restore', () => {
  const futures = new FuturesFixture();
  const credit = { actor: 'test', reason: null, reference: null } as const;
  const [address, amount] = [`0x${'1'.repeat(40)}` as Address, toAmount(1n)];
  futures.done({ type: 'creditBalance', address, token: 'USDT', amount, ...credit });
  const untouched = futures.engine.encodeState().length;
  futures.done({ ...setFees, ...noFees, vipTier: 3 });
  expect(futures.engine.encodeState().length).toBeGreaterThan(untouched);
  futures.done({ ...setFees, ...noFees });
  expect(futures.engine.encodeState().length).toBe(untouched);
});
