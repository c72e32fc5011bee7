import { Type } from 'typebox';
import type { ClaimRefusal } from '../../../application/referral/claim-use-case.ts';
import { claimStatuses } from '../../../application/referral/list-all-claims.ts';
import type { ReferralOutcome } from '../../../application/referral/referral-use-case.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { claimRows } from '../../errors/claim-errors.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { type NamedError, namedError } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, timeText } from '../schema.ts';
import { count } from './referral-schemas.ts';

// Shared by the endpoints of claims.

const claimNumberText = Type.String({
  description: "The order's number",
  examples: ['CLM-20260105-K7M2QX9TRA'],
});

/** Accepts any text: a text that is not a claim's number is simply not found. */
export const claimNumberParams = {
  claim_no: Type.String({
    maxLength: 100,
    description: "The order's number",
    examples: ['CLM-20260105-K7M2QX9TRA'],
  }),
};

export const voucherFields = {
  amount: Type.String({
    description: 'In 10^-6 USDT, as the contract expects it',
    examples: ['10500000'],
  }),
  nonce: count("The account's nonce in the contract; rises by one with each redemption", 0),
  deadline: count('The last second at which the contract accepts the signature', 1_767_574_800),
  signature: Type.String({ description: 'EIP-712, in hex', examples: ['0x6f1c…1b'] }),
  contract_address: addressText('The reward router'),
};

export const signedClaimFields = {
  success: Type.Boolean({ description: 'Always true', examples: [true] }),
  claim_no: claimNumberText,
  status: oneOf(['processing'], { description: 'Always processing' }),
  ...voucherFields,
  message: Type.String({
    description: 'What to do next',
    examples: ['Call redeemReward(amount, deadline, signature) ...'],
  }),
};

export const claimFields = {
  claim_no: claimNumberText,
  amount: decimalText('In USDT'),
  status: oneOf(claimStatuses, { description: 'The status of the order' }),
  tx_hash: nullable(
    Type.String({ description: 'The redemption', examples: [`0x${'5e'.repeat(32)}`] }),
  ),
  failure_reason: nullable(
    Type.String({
      description: 'SIGNATURE_EXPIRED, NONCE_USED or CHAIN_REORGANIZED',
      examples: ['SIGNATURE_EXPIRED'],
    }),
  ),
  applied_at: timeText('When the order was created'),
  finished_at: nullable(timeText('When its redemption was counted')),
};

/** The value, or the refusal's own row of the error table. */
export function answerClaim<T>(outcome: ReferralOutcome<T, ClaimRefusal>): Outcome<T> | NamedError {
  if (outcome.kind === 'done') return done(outcome.value);
  return namedError(claimRows[outcome.refusal]);
}

export function claimRowsOf(refusals: readonly ClaimRefusal[]): readonly ErrorRow[] {
  return refusals.map((refusal) => claimRows[refusal]);
}
