import type { HaltRefusal } from '../../application/admin/chain-halts.ts';
import type { WaitingEventRefusal } from '../../application/admin/waiting-events.ts';
import type { ReviewRefusal } from '../../application/admin/withdrawal-reviews.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';

/**
 * Errors of the administration of halts and reviews, in the order in which a request is checked.
 */
export const chainAdminErrors = {
  haltNotFound: { status: 404, code: 'HALT_NOT_FOUND', text: 'There is no open halt with this id' },
  noGuardian: {
    status: 409,
    code: 'NO_GUARDIAN',
    text: 'No guardian signer is set that these contracts name, so nothing was changed',
  },
  haltOpen: { status: 409, code: 'HALT_ALREADY_OPEN', text: 'A manual halt is already open' },
  approvalsRequired: {
    status: 403,
    code: 'APPROVALS_REQUIRED',
    text: 'Two different wallets of APPROVERS must have signed exactly this',
  },
  withdrawalNotInReview: {
    status: 404,
    code: 'WITHDRAWAL_NOT_IN_REVIEW',
    text: 'There is no withdrawal with this id that waits for approval',
  },
  pauseOn: { status: 409, code: 'PAUSE_ALREADY_ON', text: 'The same is paused already' },
  pauseNotFound: { status: 404, code: 'PAUSE_NOT_FOUND', text: 'No pause with this id is on' },
  eventNotWaiting: {
    status: 404,
    code: 'EVENT_NOT_WAITING',
    text: 'No event of the chain with this id waits',
  },
  eventStillWaits: {
    status: 409,
    code: 'EVENT_STILL_WAITS',
    text: 'The event still contradicts what is known',
  },
  resolutionImpossible: {
    status: 409,
    code: 'RESOLUTION_IMPOSSIBLE',
    text: 'The event cannot end this way, or an earlier one of its account waits too',
  },
  assetUnknown: {
    status: 400,
    code: 'ASSET_UNKNOWN',
    text: 'The exchange has no token with this symbol',
  },
  amountTooLarge: {
    status: 400,
    code: 'AMOUNT_TOO_LARGE',
    text: "The amount must be above zero and at most the event's",
  },
  chainDoesNotAnswer: {
    status: 503,
    code: 'CHAIN_DOES_NOT_ANSWER',
    text: 'The chain does not respond',
  },
} as const satisfies ErrorCatalog;

export const waitingEventRows: Readonly<Record<WaitingEventRefusal, ErrorRow>> = {
  event_not_waiting: chainAdminErrors.eventNotWaiting,
  event_still_waits: chainAdminErrors.eventStillWaits,
  resolution_impossible: chainAdminErrors.resolutionImpossible,
  asset_unknown: chainAdminErrors.assetUnknown,
  amount_too_large: chainAdminErrors.amountTooLarge,
  chain_query_failed: chainAdminErrors.chainDoesNotAnswer,
  approvals_required: chainAdminErrors.approvalsRequired,
};

export const reviewRows: Readonly<Record<ReviewRefusal, ErrorRow>> = {
  withdrawal_not_in_review: chainAdminErrors.withdrawalNotInReview,
  approvals_required: chainAdminErrors.approvalsRequired,
};

export const haltRows: Readonly<Record<HaltRefusal, ErrorRow>> = {
  halt_not_found: chainAdminErrors.haltNotFound,
  halt_open: chainAdminErrors.haltOpen,
  no_guardian: chainAdminErrors.noGuardian,
  approvals_required: chainAdminErrors.approvalsRequired,
};
