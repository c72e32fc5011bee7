import { Type } from 'typebox';
import {
  approveWithdrawal,
  listReviews,
  type ReviewPorts,
  refuseWithdrawal,
} from '../../../application/admin/withdrawal-reviews.ts';
import { formatTime } from '../../../application/format-time.ts';
import type { OpenReview } from '../../../application/wallet/review-ports.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { done } from '../../../domain/outcome.ts';
import { reviewRows } from '../../errors/chain-errors.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { withdrawalIdText } from '../wallet/wallet-schemas.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

const tag = 'Administration';
const reasonLengthMax = 500;
const approvalsMax = 10;

const reviewSchema = strictObject(
  {
    id: withdrawalIdText,
    status: oneOf(['review', 'approved'], {
      description:
        'review: waits for two approvers; approved: waits until its owner requests the ' +
        'signature',
    }),
    wallet: oneOf(['spot', 'perp'], { description: 'The wallet from which it is paid' }),
    reasons: Type.Array(
      oneOf(
        [
          'large_amount',
          'account_velocity',
          'recent_deposit',
          'recent_permission',
          'credited_balance',
          'vanished_deposit',
          'vault_window',
          'returned_deposit',
        ],
        { description: 'The rule' },
      ),
      { description: 'Why it is reviewed' },
    ),
    account: addressText('The wallet that is paid'),
    token: Type.String({ description: 'The token', examples: ['USDT'] }),
    amount: decimalText('The amount deducted from the balance', '25000'),
    token_address: addressText("The token's contract: `token` of ApproveRelease"),
    raw_amount: Type.String({
      description: "In the token's smallest unit: `value` of ApproveRelease",
      examples: ['25000000000'],
    }),
    contract_address: addressText('The vault: `verifyingContract` of the domain'),
    chain_id: Type.Integer({ description: '`chainId` of the domain', examples: [42161] }),
    domain_name: Type.String({ description: '`name` of the domain', examples: ['SpotVault'] }),
    created_at: timeText('When it was requested'),
    approved_by: nullable(Type.String({ description: "The two approvers' wallets; null before" })),
    approved_until: nullable(timeText('The time until which it can be signed; null before')),
  },
  { title: 'WithdrawalReview' },
);

const signature = (description: string) =>
  Type.String({
    pattern: '^0x[0-9a-fA-F]{130}$',
    description,
    examples: [`0x${'5d'.repeat(65)}`],
  });

/** Admin endpoints for withdrawals under manual review. */
export function reviewRoutes(ports: ReviewPorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [listEndpoint(ports), approveEndpoint(ports), refuseEndpoint(ports)],
  };
}

function listEndpoint(ports: ReviewPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/withdrawals/reviews',
    tag,
    summary: 'List withdrawals in review',
    description:
      'Withdrawals that wait for approval, then those that are approved and wait for their ' +
      'owner; oldest first, at most 500.',
    weight: 0,
    auth: administrator,
    answer: strictObject({ items: Type.Array(reviewSchema, { description: 'Open reviews' }) }),
    handle: async () => {
      const reviews = await listReviews(ports);
      return done({ items: reviews.map((review) => viewReview(ports, review)) });
    },
  });
}

function approveEndpoint(ports: ReviewPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/withdrawals/:id/approve',
    tag,
    summary: 'Approve a withdrawal',
    description:
      'Two different wallets of APPROVERS, neither of which is paid, must have signed ' +
      '(eth_signTypedData_v4) `ApproveRelease(string id,address account,address ' +
      'token,uint256 value,uint256 expires)` in the domain of the vault, version 1. Its ' +
      'owner can have it signed until the first approval expires, at most 72 hours; if it is ' +
      'not signed by then, it is returned.',
    weight: 0,
    auth: administrator,
    namedRows: Object.values(reviewRows),
    params: strictObject({ id: withdrawalIdText }),
    body: strictObject({
      approvals: Type.Array(
        strictObject({
          expires: Type.Integer({
            minimum: 1,
            maximum: 10_000_000_000,
            description: 'The Unix second that was signed as `expires`',
            examples: [1767834600],
          }),
          signature: signature('The signature over ApproveRelease'),
        }),
        { maxItems: approvalsMax, description: 'What the approvers signed' },
      ),
    }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      if (!isUuid(params.id)) return namedError(reviewRows.withdrawal_not_in_review);
      const approvals = body.approvals.map((each) => ({
        ...each,
        signature: each.signature as `0x${string}`,
      }));
      const refusal = await approveWithdrawal(ports, params.id, approvals);
      return refusal === null ? done({ ok: true }) : namedError(reviewRows[refusal]);
    },
  });
}

function refuseEndpoint(ports: ReviewPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/withdrawals/:id/refuse',
    tag,
    summary: 'Refuse a withdrawal',
    description:
      'Returns the amount of a withdrawal that is in review, or approved and not signed. Two ' +
      'different wallets of APPROVERS, neither of which is paid, must have signed ' +
      '(personal_sign) the text `openbourse: refuse withdrawal <id> on chain <chain id>`, a ' +
      'line break and `Reason: <reason>`.',
    weight: 0,
    auth: administrator,
    namedRows: Object.values(reviewRows),
    params: strictObject({ id: withdrawalIdText }),
    body: strictObject({
      reason: plainTextInput(reasonLengthMax, 'Why', 'the owner did not ask for it'),
      approvals: Type.Array(signature('A signature over the text'), {
        maxItems: approvalsMax,
        description: 'Signatures of the approvers',
      }),
    }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      if (!isUuid(params.id)) return namedError(reviewRows.withdrawal_not_in_review);
      const approvals = body.approvals as `0x${string}`[];
      const refusal = await refuseWithdrawal(ports, params.id, { reason: body.reason, approvals });
      return refusal === null ? done({ ok: true }) : namedError(reviewRows[refusal]);
    },
  });
}

function viewReview({ vaultDomainName }: ReviewPorts, review: OpenReview) {
  const { approvedUntil, contractAddress, rawAmount } = review;
  return {
    id: review.id,
    status: review.status,
    wallet: review.wallet,
    reasons: [...review.reasons],
    account: review.account,
    token: review.token,
    amount: formatAmount(review.amount),
    token_address: review.tokenAddress,
    raw_amount: String(rawAmount),
    contract_address: contractAddress,
    chain_id: review.chainId,
    domain_name: vaultDomainName,
    created_at: formatTime(review.createdAt.getTime()),
    approved_by: review.approvedBy,
    approved_until: approvedUntil === null ? null : formatTime(approvedUntil.getTime()),
  };
}
