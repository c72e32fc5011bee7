import * as useCase from '../../../application/referral/list-affiliates.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, decimalText, oneOf, strictObject } from '../schema.ts';
import {
  answerPage,
  count,
  listSchema,
  pageQuery,
  readPage,
  referralTag,
} from './referral-schemas.ts';

const affiliateItem = strictObject({
  address: addressText("The affiliate's wallet"),
  sub_rate: decimalText('The rate that is passed down to it', '0.05'),
  spread_rate: decimalText("The caller's rate minus sub_rate, at least 0", '0.05'),
  direct_traders_count: count('The direct traders of the affiliate'),
  team_volume: decimalText('Fees of those traders that earned the caller commission'),
  spot_spread_commission: decimalText('Spread earned on spot and settled on chain', '0.5'),
  futures_spread_commission: decimalText('The same for futures', '0'),
  total_spread_commission: decimalText('The sum of the two', '0.5'),
  status: oneOf(['active'], { description: 'Always active' }),
});

/** The caller's affiliates. */
export function listAffiliates(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/affiliates',
    tag: referralTag,
    summary: 'List affiliates',
    description: 'By the time of their binding, newest first.',
    weight: 5,
    auth: tokenOnly,
    query: strictObject(pageQuery),
    answer: listSchema(affiliateItem, 'All affiliates of the caller'),
    handle: async ({ caller, query }) => {
      const page = readPage(query);
      return answerPage(await useCase.listAffiliates(ports, caller.address, page), page);
    },
  });
}
