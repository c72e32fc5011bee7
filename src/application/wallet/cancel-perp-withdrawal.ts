import type { PerpWithdrawalName } from './confirm-perp-withdrawal.ts';
import {
  type PerpWithdrawalOutcome,
  type PerpWithdrawPorts,
  refusePerpWithdrawal,
  showPerpWithdrawal,
} from './request-perp-withdrawal.ts';

/**
 * Returns the amount of a pending withdrawal; one that is already canceled is returned unchanged.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: it is still pending, or the amount
 * is returned later.
 */
export async function cancelPerpWithdrawal(
  { perpWithdrawals, walletHistory, walletSettler }: PerpWithdrawPorts,
  { address, id }: PerpWithdrawalName,
): Promise<PerpWithdrawalOutcome> {
  const found = await perpWithdrawals.findTerms(address, id);
  if (found === null) return refusePerpWithdrawal('withdrawal_not_found');
  if (found.status !== 'canceled' && !(await perpWithdrawals.cancelPending(id))) {
    return refusePerpWithdrawal('withdrawal_not_pending');
  }
  // Only the settler returns perp funds, so that nothing is returned twice.
  await walletSettler.run();
  return showPerpWithdrawal(walletHistory, address, id);
}
