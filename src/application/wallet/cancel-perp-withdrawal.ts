import type { PerpWithdrawalName } from './confirm-perp-withdrawal.ts';
import {
  type PerpWithdrawalOutcome,
  type PerpWithdrawPorts,
  refusePerpWithdrawal,
  showPerpWithdrawal,
} from './request-perp-withdrawal.ts';

/**
 * Gives the amount of one that waits back; one that is canceled already is answered again.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: it waits, or the amount follows.
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
  // The settler alone gives perp funds back, so that nothing is given back twice.
  await walletSettler.run();
  return showPerpWithdrawal(walletHistory, address, id);
}
