import { assertNever } from '../../domain/assert.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Command } from '../ports/exchange.ts';
import type { UnsettledWithdrawal } from './wallet-ports.ts';

/** What the engine shows of a withdrawal's account and money. */
export interface WithdrawalPlace {
  readonly accountId: AccountId;
  /** Whether the amount is set aside in the spot wallet. */
  readonly isInSpot: boolean;
}

/**
 * The next command that moves a withdrawal's money to where its status requires it; `settled` if it
 * is there, `contradiction` if that is impossible. A perp payment that the chain takes back is set
 * aside in the spot wallet, since it has left the perp wallet permanently.
 */
export function followWithdrawal(
  withdrawal: UnsettledWithdrawal,
  { accountId, isInSpot }: WithdrawalPlace,
): Command | 'settled' | 'contradiction' {
  const { id: withdrawalId, wallet, token, amount, status, funds } = withdrawal;
  const perpStep = (step: 'reserve' | 'release' | 'pay_out'): Command => {
    return { type: 'reservePerpFunds', accountId, amount, step, reference: withdrawalId };
  };
  const isSpot = wallet === 'spot' || isInSpot;
  const complete: Command = { type: 'completeWithdrawal', withdrawalId };
  const release: Command = { type: 'releaseWithdrawal', withdrawalId };
  const reopen: Command = { type: 'reopenWithdrawal', withdrawalId, accountId, token, amount };
  const giveBack = isSpot ? release : perpStep('release');
  const reserve: Command = { type: 'reserveWithdrawal', withdrawalId, accountId, token, amount };
  const setAside = wallet === 'spot' ? reserve : perpStep('reserve');
  const payOut = isSpot ? complete : perpStep('pay_out');
  switch (status) {
    case 'opening':
    case 'reserved':
      return 'contradiction';
    case 'pending':
    case 'review':
      return funds === 'reserved' ? 'settled' : 'contradiction';
    case 'approved':
    case 'signed':
    case 'queued':
      // The chain took back what was counted: a payment, or the end of a queued release. An amount
      // that was then returned belongs to its owner, who may have spent it: it waits until it can
      // be set aside.
      if (funds === 'completed') return reopen;
      if (funds === 'released') return setAside;
      return funds === 'reserved' ? 'settled' : 'contradiction';
    case 'completed':
      if (funds === 'reserved') return payOut;
      if (funds === 'released') return setAside;
      return funds === 'completed' ? 'settled' : 'contradiction';
    case 'expired':
    case 'returned':
      if (funds === 'completed') return reopen;
      if (funds === 'reserved') return giveBack;
      return funds === 'released' ? 'settled' : 'contradiction';
    case 'canceled':
    case 'refused':
      if (funds === 'reserved') return giveBack;
      return funds === 'released' ? 'settled' : 'contradiction';
    case 'abandoned':
      if (funds === 'reserved') return giveBack;
      return funds === 'completed' ? 'contradiction' : 'settled';
    default:
      return assertNever(status);
  }
}
