import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { previewClaim as loadPreview } from '../../../application/referral/preview-claim.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { referralTag } from './referral-schemas.ts';

/** Previews what a claim would pay. */
export function previewClaim(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/claims/preview',
    tag: referralTag,
    summary: 'Preview a claim',
    description:
      'The amount that can be claimed now, and the amount that waits for settlement on chain.',
    weight: 2,
    auth: tokenOnly,
    answer: strictObject({
      claimable: decimalText('Settled on chain and not claimed yet, an open order included'),
      pending: decimalText('Waiting for the next settlement, within a few minutes', '0.25'),
      last_claimed_at: nullable(timeText('When the latest redemption was counted')),
      claim_wallet: addressText('The wallet that would be paid: the caller'),
    }),
    handle: async ({ caller }) => done(await loadPreview(ports, caller.address)),
  });
}
