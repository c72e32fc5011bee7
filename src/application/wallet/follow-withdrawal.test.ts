import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { followWithdrawal } from './follow-withdrawal.ts';
import type { UnsettledWithdrawal, WalletKind } from './wallet-ports.ts';

const accountId = 7 as AccountId;

/** The commands in short, or null for a contradiction. */
function steps(
  wallet: WalletKind,
  status: UnsettledWithdrawal['status'],
  funds: UnsettledWithdrawal['funds'],
  isInSpot = wallet === 'spot' && funds === 'reserved',
): readonly string[] | null {
  const withdrawal: UnsettledWithdrawal = {
    id: 'w',
    wallet,
    account: `0x${'1'.repeat(40)}` as Address,
    token: 'USDT',
    amount: toAmount(5n),
    status,
    funds,
    isReturn: false,
  };
  const commands = followWithdrawal(withdrawal, { accountId, isInSpot });
  if (commands === null) return null;
  return commands.map((command) =>
    command.type === 'reservePerpFunds' ? `perp ${command.step}` : command.type,
  );
}

describe('followWithdrawal', () => {
  it.each<[UnsettledWithdrawal['status'], (readonly string[] | null)[]]>([
    // Funds: reserved, completed, released, never there.
    ['review', [[], null, null, null]],
    ['refused', [['releaseWithdrawal'], null, [], null]],
    ['approved', [[], ['reopenWithdrawal'], ['reserveWithdrawal'], null]],
    ['signed', [[], ['reopenWithdrawal'], ['reserveWithdrawal'], null]],
    ['queued', [[], ['reopenWithdrawal'], ['reserveWithdrawal'], null]],
    ['completed', [['completeWithdrawal'], [], ['reserveWithdrawal', 'completeWithdrawal'], null]],
    ['returned', [['releaseWithdrawal'], ['reopenWithdrawal', 'releaseWithdrawal'], [], null]],
    ['expired', [['releaseWithdrawal'], ['reopenWithdrawal', 'releaseWithdrawal'], [], null]],
    ['abandoned', [['releaseWithdrawal'], null, [], []]],
    ['reserved', [null, null, null, null]],
  ])('followWithdrawal: spot, %s', (status, expected) => {
    const funds = ['reserved', 'completed', 'released', null] as const;
    expect(funds.map((each) => steps('spot', status, each))).toEqual(expected);
  });

  it.each<[UnsettledWithdrawal['status'], (readonly string[] | null)[]]>([
    ['pending', [[], null, null, null]],
    ['review', [[], null, null, null]],
    ['refused', [['perp release'], null, [], null]],
    ['approved', [[], ['reopenWithdrawal'], ['perp reserve'], null]],
    ['signed', [[], ['reopenWithdrawal'], ['perp reserve'], null]],
    ['queued', [[], ['reopenWithdrawal'], ['perp reserve'], null]],
    ['completed', [['perp pay_out'], [], ['perp reserve', 'perp pay_out'], null]],
    ['returned', [['perp release'], ['reopenWithdrawal', 'releaseWithdrawal'], [], null]],
    ['expired', [['perp release'], ['reopenWithdrawal', 'releaseWithdrawal'], [], null]],
    ['canceled', [['perp release'], null, [], null]],
    ['abandoned', [['perp release'], null, [], []]],
    ['opening', [null, null, null, null]],
  ])('followWithdrawal: perp, %s', (status, expected) => {
    const funds = ['reserved', 'completed', 'released', null] as const;
    expect(funds.map((each) => steps('perp', status, each))).toEqual(expected);
  });

  it('followWithdrawal: perp money that was set aside in the spot wallet is moved there', () => {
    expect(steps('perp', 'completed', 'reserved', true)).toEqual(['completeWithdrawal']);
    expect(steps('perp', 'expired', 'reserved', true)).toEqual(['releaseWithdrawal']);
  });
});
