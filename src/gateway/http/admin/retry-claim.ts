import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { retryClaim as reopenClaim } from '../../../application/referral/retry-claim.ts';
import { claimErrors, signingFailureRows } from '../../errors/claim-errors.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import {
  answerClaim,
  claimNumberParams,
  claimRowsOf,
  signedClaimFields,
} from '../referral/claim-schemas.ts';
import { emptyBody } from '../referral/referral-schemas.ts';
import { strictObject } from '../schema.ts';
import { okSchema } from './admin-schemas.ts';

/** Reopens a failed claim. */
export function retryClaim(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/referral/claims/:claim_no/retry',
    tag: 'Administration',
    summary: 'Retry a failed claim',
    description:
      'Signs the claim again for the same amount, with a new nonce and deadline. Its owner reads ' +
      'the new signature from GET /referral/claims/:claim_no/signature.',
    weight: 0,
    auth: administrator,
    namedRows: claimRowsOf([
      'claim_not_found',
      'claim_not_failed',
      'claim_already_processing',
      'no_claimable',
    ]),
    errorRows: { database_failed: claimErrors.claimPersistError, ...signingFailureRows },
    params: strictObject(claimNumberParams),
    body: emptyBody,
    answer: strictObject({ ...okSchema.properties, ...signedClaimFields }),
    handle: async ({ params }) => {
      const outcome = await reopenClaim(ports, params.claim_no);
      if (outcome.kind === 'refused') return answerClaim(outcome);
      return answerClaim({ kind: 'done', value: { ok: true, ...outcome.value } });
    },
  });
}
