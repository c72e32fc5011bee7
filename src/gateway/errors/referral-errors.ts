import type { ReferralRefusal } from '../../application/referral/referral-ports.ts';
import type { ErrorCatalog, ErrorRow } from './error-row.ts';

/** Errors of the referral program, in the order in which a request is checked. */
export const referralErrors = {
  invalidCode: {
    status: 400,
    code: 'INVALID_CODE',
    text: 'A code is 4 to 20 of A-Z, 0-9 and the underscore',
  },
  codeTaken: { status: 409, code: 'CODE_TAKEN', text: 'The code is already taken' },
  codeAlreadyCreated: {
    status: 409,
    code: 'CODE_ALREADY_CREATED',
    text: 'The caller already has a code',
  },
  codeNotFound: { status: 404, code: 'CODE_NOT_FOUND', text: 'The code does not exist' },
  selfReferral: { status: 400, code: 'SELF_REFERRAL', text: "The code is the caller's own" },
  alreadyBound: {
    status: 409,
    code: 'ALREADY_BOUND',
    text: 'The caller is already bound to a referrer',
  },
  referralCycle: {
    status: 400,
    code: 'REFERRAL_CYCLE',
    text: "The code's owner is referred by the caller, directly or through others",
  },
  notBound: { status: 409, code: 'NOT_BOUND', text: 'The caller is not bound to a referrer' },
  selfAssignment: { status: 400, code: 'SELF_ASSIGNMENT', text: 'The wallet is the caller itself' },
  subRateExceedsOwn: {
    status: 400,
    code: 'SUB_RATE_EXCEEDS_OWN',
    text: "sub_rate is negative or above the caller's own rebate rate",
  },
  userNotFound: {
    status: 400,
    code: 'USER_NOT_FOUND',
    text: 'The wallet is not a registered user',
  },
  targetNotAgent: {
    status: 400,
    code: 'TARGET_NOT_AGENT',
    text: 'The target is not an active tier-1 agent: one who has created a code',
  },
  targetNotDirectTrader: {
    status: 400,
    code: 'TARGET_NOT_DIRECT_TRADER',
    text: 'The target is not a direct trader of the caller',
  },
  alreadyAffiliate: {
    status: 400,
    code: 'ALREADY_AFFILIATE',
    text: 'The target is already an affiliate',
  },
  affiliateNotFound: {
    status: 404,
    code: 'AFFILIATE_NOT_FOUND',
    text: 'The wallet is not an affiliate of the caller',
  },
} as const satisfies ErrorCatalog;

/** An administrator names the account in the path, so an unknown one is a missing resource. */
export const referralAdminErrors = {
  userNotFound: {
    status: 404,
    code: 'USER_NOT_FOUND',
    text: 'The wallet is not a registered user',
  },
} as const satisfies ErrorCatalog;

export const referralRows: Readonly<Record<ReferralRefusal, ErrorRow>> = {
  code_malformed: referralErrors.invalidCode,
  code_taken: referralErrors.codeTaken,
  code_already_created: referralErrors.codeAlreadyCreated,
  code_not_found: referralErrors.codeNotFound,
  self_referral: referralErrors.selfReferral,
  already_bound: referralErrors.alreadyBound,
  cycle: referralErrors.referralCycle,
  not_bound: referralErrors.notBound,
  self_assignment: referralErrors.selfAssignment,
  sub_rate_exceeds_own: referralErrors.subRateExceedsOwn,
  account_not_found: referralErrors.userNotFound,
  target_not_agent: referralErrors.targetNotAgent,
  target_not_direct_trader: referralErrors.targetNotDirectTrader,
  already_affiliate: referralErrors.alreadyAffiliate,
  affiliate_not_found: referralErrors.affiliateNotFound,
};
