import { assertNever } from '../../domain/assert.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Command } from '../ports.ts';
import type { UnsettledWithdrawal } from './wallet-ports.ts';

/** What the engine shows of a withdrawal's account and money. */
export interface WithdrawalPlace {
  readonly accountId: AccountId;
  /** Whether the amount is set aside in the spot wallet. */
  readonly isInSpot: boolean;
}

/**
 * The commands that move a withdrawal's money to where its status requires; null if that is
 * impossible. A perp payment that the chain takes back is set aside in the spot wallet, since it
 * has left the perp wallet permanently.
 */
export function followWithdrawal(
  withdrawal: UnsettledWithdrawal,
  { accountId, isInSpot }: WithdrawalPlace,
): readonly Command[] | null {
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
      return null;
    case 'pending':
    case 'review':
      return funds === 'reserved' ? [] : null;
    case 'approved':
    case 'signed':
    case 'queued':
      // The chain took back what was counted: a payment, or the end of a queued release. An amount
      // that was then returned belongs to its owner, who may have spent it: it waits until it can
      // be set aside.
      if (funds === 'completed') return [reopen];
      if (funds === 'released') return [setAside];
      return funds === 'reserved' ? [] : null;
    case 'completed':
      if (funds === 'reserved') return [payOut];
      if (funds === 'released') return [setAside, payOut];
      return funds === 'completed' ? [] : null;
    case 'expired':
    case 'returned':
      if (funds === 'completed') return [reopen, release];
      return funds === 'reserved' ? [giveBack] : funds === 'released' ? [] : null;
    case 'canceled':
    case 'refused':
      return funds === 'reserved' ? [giveBack] : funds === 'released' ? [] : null;
    case 'abandoned':
      if (funds === 'reserved') return [giveBack];
      return funds === 'completed' ? null : [];
    default:
      return assertNever(status);
  }
}
