import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { listClaims as loadClaims } from '../../../application/referral/list-claims.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { claimFields } from './claim-schemas.ts';
import { answerPage, listSchema, pageQuery, readPage, referralTag } from './referral-schemas.ts';

/** The caller's claims. */
export function listClaims(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/claims',
    tag: referralTag,
    summary: 'List claims',
    description: "The caller's claims, failed ones included, newest first.",
    weight: 2,
    auth: tokenOnly,
    query: strictObject(pageQuery),
    answer: listSchema(strictObject(claimFields), 'All claims of the caller'),
    handle: async ({ caller, query }) => {
      const page = readPage(query);
      return answerPage(await loadClaims(ports, caller.address, page), page);
    },
  });
}
