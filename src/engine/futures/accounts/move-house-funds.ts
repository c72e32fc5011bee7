import { amountMax, toAmount } from '../../../domain/amount.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { EngineState } from '../../engine-state.ts';
import type { MoveHouseFunds } from '../../futures-commands.ts';
import { postingCodes } from '../../ledger/postings.ts';
import { least, reportFund } from '../liquidation/insurance.ts';
import { badDebtOf } from './house-money.ts';
import { perpToken } from './perp-cells.ts';
import { fitsPerpFunds } from './perp-limit.ts';
import { shutGate } from './withdrawal-gate.ts';

/**
 * Moves the exchange's own money, from its fees or from outside, to the insurance fund; bad debt is
 * repaid first. A reference that has already been used changes nothing.
 */
export function moveHouseFunds(state: EngineState, command: MoveHouseFunds): Rejection | null {
  const { amount, source, reason, reference } = command;
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  const known = reference === null ? null : `${perpToken}\n${reference}`;
  if (known !== null && state.references.has(known)) return null;
  const { futures, ledger, outcome } = state;
  const tokenId = state.tokens.find(perpToken);
  if (source === 'fees' && (tokenId === null || ledger.feesOf(tokenId) < amount)) {
    return { reason: 'insufficient_balance' };
  }
  const issued = tokenId === null ? 0n : ledger.issuedOf(tokenId);
  const mayIssue = source === 'fees' || issued + amount <= amountMax;
  if (!mayIssue || !fitsPerpFunds(state, amount)) {
    return { reason: 'amount_out_of_range' };
  }
  state.openToken(perpToken);
  const { cells } = futures;
  const from = source === 'fees' ? cells.feeRevenue() : ledger.external(cells.tokenId);
  const repaid = least(amount, 0n - badDebtOf(futures));
  if (repaid > 0n) {
    ledger.post(from, cells.badDebt(), repaid, postingCodes.debtRepaid);
    shutGate(futures);
  }
  ledger.post(from, cells.insurance(), amount - repaid, postingCodes.houseFunds);
  // A top-up means that someone has reviewed the fund's losses.
  futures.fundLevels.clear();
  if (known !== null) state.references.add(known);
  outcome.push({
    type: 'houseFundsMoved',
    amount,
    source,
    repaid: toAmount(repaid),
    reason,
    reference,
  });
  if (amount > repaid) reportFund(futures, { change: amount - repaid });
  return null;
}
