import type { SignApprovedRefusal } from '../../../application/wallet/sign-approved.ts';
import {
  type SignSpotPorts,
  signSpotWithdrawal,
} from '../../../application/wallet/sign-spot-withdrawal.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { done } from '../../../domain/outcome.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { spotErrors } from '../../errors/plain-errors.ts';
import { walletErrors, walletFailureRows } from '../../errors/wallet-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { walletTag, withdrawalIdText, withdrawalSchema } from './wallet-schemas.ts';

const refusalRows: Readonly<Record<SignApprovedRefusal | 'withdrawal_not_found', ErrorRow>> = {
  withdrawal_not_found: walletErrors.notFound,
  chain_not_initialized: walletErrors.chainNotInitialized,
  withdrawal_not_approved: walletErrors.notApproved,
  chain_query_failed: walletErrors.chainQueryFailed,
  withdrawal_pending: walletErrors.pendingWithdrawal,
  withdrawal_slot_conflict: walletErrors.slotConflict,
  signer_unavailable: walletErrors.signerUnavailable,
  sign_failed: walletErrors.signFailed,
};

/** Signs a withdrawal that two people have approved. */
export function signWithdrawal(ports: SignSpotPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/spot/withdrawals/:id/sign',
    tag: walletTag,
    summary: 'Have an approved withdrawal signed',
    description:
      'Signs the release of a withdrawal that two people approved, valid for an hour of the ' +
      'chain’s time. If the signature expires, the withdrawal is approved again and is ' +
      'signed for the same nonce. Requesting a signed withdrawal again returns it again.',
    weight: 5,
    extraLimit: 'signing',
    auth: tokenOnly,
    errorRows: { ...walletFailureRows, token_required: walletErrors.withdrawsNotAllowed },
    namedRows: [spotErrors.invalidId, ...new Set(Object.values(refusalRows))],
    params: strictObject({ id: withdrawalIdText }),
    answer: withdrawalSchema,
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return namedError(spotErrors.invalidId);
      const outcome = await signSpotWithdrawal(ports, caller.address, params.id);
      if (outcome.kind === 'done') return done(outcome.withdrawal);
      return namedError(refusalRows[outcome.refusal]);
    },
  });
}
