import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { amountMax, toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { TransferFunds } from '../../futures-commands.ts';
import { perpFundsMax, perpWalletMax } from '../risk-limits.ts';

// Whatever an administrator credits and a user moves, the engine refuses what its cells cannot
// hold, and continues.

function begin(): { futures: FuturesFixture; alice: AccountId } {
  const futures = new FuturesFixture();
  const alice = futures.fund(1, 1);
  const address = `0x${'1'.padStart(40, '0')}` as never;
  const amount = toAmount(amountMax - 10n ** 8n);
  const unnamed = { actor: 'test', reason: null, reference: null };
  futures.done({ type: 'creditBalance', address, token: 'USDT', amount, ...unnamed });
  return { futures, alice };
}

function toPerp(accountId: AccountId, units: bigint): TransferFunds {
  const direction = 'spot_to_perp';
  const amount = toAmount(units);
  return { type: 'transferFunds', accountId, direction, amount, clientTransferId: null };
}

describe('the largest amounts', () => {
  it('a perp wallet accepts no more than its maximum, and a refused amount moves nothing', () => {
    const { futures, alice } = begin();
    expect(futures.refusal(toPerp(alice, amountMax - 10n ** 8n))).toBe('amount_out_of_range');
    expect(futures.wallet(alice).walletBalance).toBe(10n ** 8n);
    expect(futures.refusal(toPerp(alice, perpWalletMax - 10n ** 8n))).toBeNull();
    expect(futures.refusal(toPerp(alice, 1n))).toBe('amount_out_of_range');
    expect(futures.wallet(alice).walletBalance).toBe(perpWalletMax);
  });

  it('credits and top-ups of the insurance fund beyond the maximum issue are refused', () => {
    const { futures } = begin();
    const given = { source: 'treasury', reason: null, reference: null } as const;
    const amount = toAmount(1n);
    expect(futures.refusal({ type: 'moveHouseFunds', amount, ...given })).toBe(
      'amount_out_of_range',
    );
  });

  it.each([
    [11, amountMax],
    [12, perpFundsMax],
  ] as const)('rules %d: a fund topped up to its maximum works like any other', (rules, units) => {
    const futures = new FuturesFixture(btcTerms, rules);
    const given = { source: 'treasury', reason: null, reference: null } as const;
    const amount = toAmount(units);
    futures.done({ type: 'moveHouseFunds', amount, ...given });
    expect(futures.engine.futures.insuranceFund).toBe(units);
    futures.setIndex(30_000);
  });
});
