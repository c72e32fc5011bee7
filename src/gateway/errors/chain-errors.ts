import type { HaltRefusal } from '../../application/admin/chain-halts.ts';
import type { ReviewRefusal } from '../../application/admin/withdrawal-reviews.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';

/** Errors of the administration of halts and reviews, in the order in which a request is judged. */
export const chainAdminErrors = {
  haltNotFound: { status: 404, code: 'HALT_NOT_FOUND', text: 'No halt with this id is open' },
  haltOpen: { status: 409, code: 'HALT_ALREADY_OPEN', text: 'A halt by hand is open already' },
  approvalsRequired: {
    status: 403,
    code: 'APPROVALS_REQUIRED',
    text: 'Two different wallets of APPROVERS must have signed exactly this',
  },
  withdrawalNotInReview: {
    status: 404,
    code: 'WITHDRAWAL_NOT_IN_REVIEW',
    text: 'No withdrawal with this id waits for people',
  },
} as const satisfies ErrorCatalog;

export const reviewRows: Readonly<Record<ReviewRefusal, ErrorRow>> = {
  withdrawal_not_in_review: chainAdminErrors.withdrawalNotInReview,
  approvals_required: chainAdminErrors.approvalsRequired,
};

export const haltRows: Readonly<Record<HaltRefusal, ErrorRow>> = {
  halt_not_found: chainAdminErrors.haltNotFound,
  halt_open: chainAdminErrors.haltOpen,
  approvals_required: chainAdminErrors.approvalsRequired,
};
