import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { loadClaimSignature } from '../../../application/referral/load-claim-signature.ts';
import { signingFailureRows } from '../../errors/claim-errors.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { answerClaim, claimNumberParams, claimRowsOf, voucherFields } from './claim-schemas.ts';
import { referralTag } from './referral-schemas.ts';

/** Returns an open order's signature again. */
export function getClaimSignature(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/claims/:claim_no/signature',
    tag: referralTag,
    summary: "Get an open claim's signature again",
    description: 'The same signature that was returned with the order, for a client that lost it.',
    weight: 5,
    extraLimit: 'signing',
    auth: tokenOnly,
    namedRows: claimRowsOf(['claim_not_found', 'claim_not_processing']),
    errorRows: signingFailureRows,
    params: strictObject(claimNumberParams),
    answer: strictObject(voucherFields),
    handle: async ({ caller, params }) =>
      answerClaim(await loadClaimSignature(ports, caller.address, params.claim_no)),
  });
}
