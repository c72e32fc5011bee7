import {
  requestWithdrawal,
  viewReviewedWithdrawal,
  viewSignedWithdrawal,
  type WithdrawalRefusal,
  type WithdrawPorts,
} from '../../../application/wallet/request-withdrawal.ts';
import { formatDecimal, parseDecimalValue } from '../../../domain/decimal.ts';
import { done, refused } from '../../../domain/outcome.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { walletErrors, walletFailureRows } from '../../errors/wallet-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { payableAt, signedWithdrawalFields, tokenField, walletTag } from './wallet-schemas.ts';

const refusalRows: Readonly<Record<WithdrawalRefusal, ErrorRow>> = {
  token_unsupported: walletErrors.unsupportedToken,
  below_minimum: walletErrors.belowMinimum,
  chain_not_initialized: walletErrors.chainNotInitialized,
  insufficient_balance: walletErrors.insufficientBalance,
  chain_query_failed: walletErrors.chainQueryFailed,
  withdrawal_pending: walletErrors.pendingWithdrawal,
  withdrawal_slot_conflict: walletErrors.slotConflict,
  // Decision 58: the spot wallet's error table has no separate error for it.
  withdrawals_paused: walletErrors.signerUnavailable,
  signer_unavailable: walletErrors.signerUnavailable,
  sign_failed: walletErrors.signFailed,
};

/** Locks an amount and signs its release from the vault. */
export function requestSpotWithdrawal(ports: WithdrawPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/spot/withdraw/request',
    tag: walletTag,
    summary: 'Request a withdrawal',
    description:
      'Locks the amount and returns the EIP-712 signature with which the caller takes it ' +
      'from the vault: release(token, amount = raw_amount, nonce, deadline, signature). ' +
      "Amounts are truncated to 8 decimals, or to the token's if it has fewer. One " +
      'withdrawal at a time; if it is not submitted, it expires an hour after the signature, ' +
      "by the chain's time. If two people have to review it first, the status is review, and " +
      'nonce, deadline and signature are null.',
    weight: 5,
    extraLimit: 'signing',
    auth: tokenOnly,
    errorRows: { ...walletFailureRows, token_required: walletErrors.withdrawsNotAllowed },
    namedRows: [...new Set(Object.values(refusalRows))],
    body: strictObject({
      token: tokenField('A token of SPOT_WITHDRAW_TOKENS'),
      amount: decimalInput('The amount, at least the minimum of the token', '12.5'),
    }),
    answer: strictObject({ ...signedWithdrawalFields, payable_at: payableAt }),
    handle: async ({ caller, body }) => {
      const amount = parseDecimalValue(body.amount);
      if (amount === null) {
        const detail = 'amount: not a plain decimal number';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const { token } = body;
      const outcome = await requestWithdrawal(ports, { address: caller.address, token, amount });
      if (outcome.kind === 'signed') return done(viewSignedWithdrawal(outcome.withdrawal));
      if (outcome.kind === 'review') return done(viewReviewedWithdrawal(outcome.withdrawal));
      const minimum = ports.withdrawMinimums.get(token);
      const min = minimum === undefined ? '' : formatDecimal(minimum);
      return namedError(refusalRows[outcome.refusal], { token, min });
    },
  });
}
