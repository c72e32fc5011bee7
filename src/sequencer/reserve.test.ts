import { describe, expect, it } from 'vitest';
import { AssertionError } from '../domain/assert.ts';
import type { Command } from '../engine/commands.ts';
import { isAllowedFromReserve } from './reserve.ts';

/** Each kind of command, and whether a full disk takes it. The compiler asks for all of them. */
const allowed: Readonly<Record<Command['type'], boolean>> = {
  cancelSpotOrder: true,
  cancelAllSpotOrders: true,
  cancelFuturesOrder: true,
  cancelAllFuturesOrders: true,
  advanceTime: true,
  upgradeRules: true,
  openAccount: false,
  createSpotMarket: false,
  setSpotMarketStatus: false,
  creditBalance: false,
  placeSpotOrder: false,
  createFuturesMarket: false,
  setFuturesMarketStatus: false,
  setIndexPrice: false,
  transferFunds: false,
  setLeverage: false,
  setAccountFees: false,
  placeFuturesOrder: false,
  amendFuturesOrder: false,
  setCountdownCancel: false,
  reservePerpFunds: false,
  moveHouseFunds: false,
  holdWithdrawals: false,
  creditDeposit: false,
  reserveWithdrawal: false,
  completeWithdrawal: false,
  releaseWithdrawal: false,
  reopenWithdrawal: false,
};

describe('the reserve of a full disk', () => {
  it.each(Object.entries(allowed))('%s: %s', (type, isAllowed) => {
    expect(isAllowedFromReserve({ type } as Command)).toBe(isAllowed);
  });

  it('knows no other command', () => {
    const unknown = { type: 'somethingElse' } as unknown as Command;
    expect(() => isAllowedFromReserve(unknown)).toThrow(AssertionError);
  });
});
