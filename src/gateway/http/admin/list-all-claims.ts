import { Type } from 'typebox';
import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import {
  claimStatuses,
  listAllClaims as loadAllClaims,
} from '../../../application/referral/list-all-claims.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { claimFields, voucherFields } from '../referral/claim-schemas.ts';
import { answerPage, listSchema, pageQuery, readPage } from '../referral/referral-schemas.ts';
import { addressText, nullable, oneOf, strictObject } from '../schema.ts';

const adminClaim = strictObject({
  ...claimFields,
  address: addressText('The account of the claim'),
  nonce: voucherFields.nonce,
  deadline: nullable(voucherFields.deadline),
});

/** Lists the claims of all accounts. */
export function listAllClaims(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/referral/claims',
    tag: 'Administration',
    summary: 'List the claims of all accounts',
    description:
      'Newest first. A claim without a deadline is the redemption of a signature that was ' +
      'issued without an order.',
    weight: 0,
    auth: administrator,
    query: strictObject({
      status: Type.Optional(oneOf(claimStatuses, { description: 'Only claims of this status' })),
      ...pageQuery,
    }),
    answer: listSchema(adminClaim, 'All claims, of the status if one is given'),
    handle: async ({ query }) => {
      const page = readPage(query);
      const claims = await loadAllClaims(ports, { ...page, status: query.status ?? null });
      return answerPage(claims, page);
    },
  });
}
