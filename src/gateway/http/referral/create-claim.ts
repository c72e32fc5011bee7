import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { createClaim as claimAll } from '../../../application/referral/create-claim.ts';
import { claimErrors, signingFailureRows } from '../../errors/claim-errors.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { answerClaim, claimRowsOf, signedClaimFields } from './claim-schemas.ts';
import { emptyBody, referralTag } from './referral-schemas.ts';

/** Creates a claim order for everything claimable. */
export function createClaim(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/claim',
    tag: referralTag,
    summary: 'Claim all commission',
    description:
      'Creates an order for everything that is claimable and returns the signature with ' +
      'which the caller redeems it at the reward router within an hour: redeemReward(amount, ' +
      'deadline, signature). The order is finished when the redemption is counted.',
    weight: 5,
    extraLimit: 'signing',
    auth: tokenOnly,
    namedRows: claimRowsOf(['claim_already_processing', 'no_claimable', 'claim_below_minimum']),
    errorRows: { database_failed: claimErrors.claimPersistError, ...signingFailureRows },
    body: emptyBody,
    answer: strictObject(signedClaimFields),
    handle: async ({ caller }) => answerClaim(await claimAll(ports, caller.address)),
  });
}
