import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId, Address, Sequence } from '../../domain/identifiers.ts';
import { followWithdrawal } from './follow-withdrawal.ts';
import type { UnsettledWithdrawal, WalletKind } from './wallet-ports.ts';

const accountId = 7 as AccountId;

/** The command in short, or why there is none. */
function step(
  wallet: WalletKind,
  status: UnsettledWithdrawal['status'],
  funds: UnsettledWithdrawal['funds'],
  isInSpot = wallet === 'spot' && funds === 'reserved',
): string {
  const withdrawal: UnsettledWithdrawal = {
    id: 'w',
    wallet,
    account: `0x${'1'.repeat(40)}` as Address,
    token: 'USDT',
    amount: toAmount(5n),
    status,
    funds,
    fundsSequence: 1 as Sequence,
    isReturn: false,
  };
  const next = followWithdrawal(withdrawal, { accountId, isInSpot });
  if (typeof next === 'string') return next;
  return next.type === 'reservePerpFunds' ? `perp ${next.step}` : next.type;
}

describe('followWithdrawal', () => {
  it.each<[UnsettledWithdrawal['status'], readonly string[]]>([
    // Funds: reserved, completed, released, never there.
    ['review', ['settled', 'contradiction', 'contradiction', 'contradiction']],
    ['refused', ['releaseWithdrawal', 'contradiction', 'settled', 'contradiction']],
    ['approved', ['settled', 'reopenWithdrawal', 'reserveWithdrawal', 'contradiction']],
    ['signed', ['settled', 'reopenWithdrawal', 'reserveWithdrawal', 'contradiction']],
    ['queued', ['settled', 'reopenWithdrawal', 'reserveWithdrawal', 'contradiction']],
    ['completed', ['completeWithdrawal', 'settled', 'reserveWithdrawal', 'contradiction']],
    ['returned', ['releaseWithdrawal', 'reopenWithdrawal', 'settled', 'contradiction']],
    ['expired', ['releaseWithdrawal', 'reopenWithdrawal', 'settled', 'contradiction']],
    ['abandoned', ['releaseWithdrawal', 'contradiction', 'settled', 'settled']],
    ['reserved', ['contradiction', 'contradiction', 'contradiction', 'contradiction']],
  ])('followWithdrawal: spot, %s', (status, expected) => {
    const funds = ['reserved', 'completed', 'released', null] as const;
    expect(funds.map((each) => step('spot', status, each))).toEqual(expected);
  });

  it.each<[UnsettledWithdrawal['status'], readonly string[]]>([
    ['pending', ['settled', 'contradiction', 'contradiction', 'contradiction']],
    ['review', ['settled', 'contradiction', 'contradiction', 'contradiction']],
    ['refused', ['perp release', 'contradiction', 'settled', 'contradiction']],
    ['approved', ['settled', 'reopenWithdrawal', 'perp reserve', 'contradiction']],
    ['signed', ['settled', 'reopenWithdrawal', 'perp reserve', 'contradiction']],
    ['queued', ['settled', 'reopenWithdrawal', 'perp reserve', 'contradiction']],
    ['completed', ['perp pay_out', 'settled', 'perp reserve', 'contradiction']],
    ['returned', ['perp release', 'reopenWithdrawal', 'settled', 'contradiction']],
    ['expired', ['perp release', 'reopenWithdrawal', 'settled', 'contradiction']],
    ['canceled', ['perp release', 'contradiction', 'settled', 'contradiction']],
    ['abandoned', ['perp release', 'contradiction', 'settled', 'settled']],
    ['opening', ['contradiction', 'contradiction', 'contradiction', 'contradiction']],
  ])('followWithdrawal: perp, %s', (status, expected) => {
    const funds = ['reserved', 'completed', 'released', null] as const;
    expect(funds.map((each) => step('perp', status, each))).toEqual(expected);
  });

  it('followWithdrawal: perp money that was set aside in the spot wallet is moved there', () => {
    expect(step('perp', 'completed', 'reserved', true)).toBe('completeWithdrawal');
    expect(step('perp', 'expired', 'reserved', true)).toBe('releaseWithdrawal');
  });
});
