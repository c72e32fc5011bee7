import { assertNever } from '../../domain/assert.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import type { Command } from '../ports.ts';
import type { UnsettledWithdrawal } from './wallet-ports.ts';

/** What the engine shows of a withdrawal's account and money. */
export interface WithdrawalPlace {
  readonly accountId: AccountId;
  /** The amount is set aside in the spot wallet. */
  readonly isInSpot: boolean;
}

/**
 * What has to be done so that a withdrawal's money is where its status says; null: it cannot be.
 * What the chain takes back of the perp wallet's payments is set aside in the spot wallet, since
 * the perp wallet has let it go for good.
 */
export function followWithdrawal(
  withdrawal: UnsettledWithdrawal,
  { accountId, isInSpot }: WithdrawalPlace,
): readonly Command[] | null {
  const { id: withdrawalId, wallet, token, amount, status, funds } = withdrawal;
  const perpStep = (step: 'release' | 'pay_out'): Command => {
    return { type: 'reservePerpFunds', accountId, amount, step, reference: withdrawalId };
  };
  const isSpot = wallet === 'spot' || isInSpot;
  const complete: Command = { type: 'completeWithdrawal', withdrawalId };
  const release: Command = { type: 'releaseWithdrawal', withdrawalId };
  const reopen: Command = { type: 'reopenWithdrawal', withdrawalId, accountId, token, amount };
  const giveBack = isSpot ? release : perpStep('release');
  switch (status) {
    case 'opening':
    case 'reserved':
      return null;
    case 'pending':
      return funds === 'reserved' ? [] : null;
    case 'signed':
      // The chain took back a release that was counted.
      if (funds === 'completed') return [reopen];
      return funds === 'reserved' ? [] : null;
    case 'completed':
      if (funds === 'reserved') return [isSpot ? complete : perpStep('pay_out')];
      return funds === 'completed' ? [] : null;
    case 'expired':
      if (funds === 'completed') return [reopen, release];
      return funds === 'reserved' ? [giveBack] : funds === 'released' ? [] : null;
    case 'canceled':
      return funds === 'reserved' ? [giveBack] : funds === 'released' ? [] : null;
    case 'abandoned':
      if (funds === 'reserved') return [giveBack];
      return funds === 'completed' ? null : [];
    default:
      return assertNever(status);
  }
}
