import type { HaltRefusal } from '../../application/admin/chain-halts.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';

/** Errors of the administration of halts, in the order in which a request is judged. */
export const chainAdminErrors = {
  haltNotFound: { status: 404, code: 'HALT_NOT_FOUND', text: 'No halt with this id is open' },
  haltOpen: { status: 409, code: 'HALT_ALREADY_OPEN', text: 'A halt by hand is open already' },
  approvalsRequired: {
    status: 403,
    code: 'APPROVALS_REQUIRED',
    text: 'Two different wallets of APPROVERS must have signed exactly this',
  },
} as const satisfies ErrorCatalog;

export const haltRows: Readonly<Record<HaltRefusal, ErrorRow>> = {
  halt_not_found: chainAdminErrors.haltNotFound,
  halt_open: chainAdminErrors.haltOpen,
  approvals_required: chainAdminErrors.approvalsRequired,
};
