import type { ClaimRefusal } from '../../application/referral/claim-use-case.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';
import type { ReasonRows } from './surface.ts';

/** Errors of claims and on-chain queries, in the order in which a request is checked. */
export const claimErrors = {
  claimAlreadyProcessing: {
    status: 409,
    code: 'CLAIM_ALREADY_PROCESSING',
    text: 'A previous order is still processing, or its redemption is not counted yet',
  },
  noClaimable: { status: 400, code: 'NO_CLAIMABLE', text: 'No synced, unclaimed commission' },
  belowMinimum: {
    status: 400,
    code: 'BELOW_MINIMUM',
    text: 'Less is claimable than MIN_CLAIM_USDT, by default 10 USDT',
  },
  claimPersistError: {
    status: 500,
    code: 'CLAIM_PERSIST_ERROR',
    text: 'The order could not be created',
  },
  invalidAmount: {
    status: 400,
    code: 'INVALID_AMOUNT',
    text: 'The amount is missing, malformed, not above 0, or has more than 6 decimals',
  },
  signatureError: {
    status: 500,
    code: 'SIGNATURE_ERROR',
    text: 'The signature could not be created; /readyz says why if signing is off',
  },
  claimNotFound: {
    status: 404,
    code: 'CLAIM_NOT_FOUND',
    text: "The claim is absent or another account's",
  },
  claimNotProcessing: {
    status: 409,
    code: 'CLAIM_NOT_PROCESSING',
    text: 'The claim is finished or failed',
  },
  claimNotFailed: { status: 409, code: 'CLAIM_NOT_FAILED', text: 'The claim has not failed' },
  settlementNotFailed: {
    status: 409,
    code: 'SETTLEMENT_NOT_FAILED',
    text: 'The account has no failed commission',
  },
  settlementUnderWay: {
    status: 409,
    code: 'SETTLEMENT_UNDER_WAY',
    text: 'Other commission of the account is being settled; try again after that',
  },
  invalidAddress: { status: 400, code: 'INVALID_ADDRESS', text: 'Not 0x and 40 hex digits' },
  chainError: { status: 500, code: 'CHAIN_ERROR', text: 'The on-chain query failed' },
} as const satisfies ErrorCatalog;

export const claimRows: Readonly<Record<ClaimRefusal, ErrorRow>> = {
  claim_already_processing: claimErrors.claimAlreadyProcessing,
  no_claimable: claimErrors.noClaimable,
  claim_below_minimum: claimErrors.belowMinimum,
  claim_not_found: claimErrors.claimNotFound,
  claim_not_processing: claimErrors.claimNotProcessing,
  claim_not_failed: claimErrors.claimNotFailed,
};

/** Where a signature is requested, any failure of the chain means that none can be made. */
export const signingFailureRows: Partial<ReasonRows> = {
  chain_failed: claimErrors.signatureError,
  signing_failed: claimErrors.signatureError,
};
