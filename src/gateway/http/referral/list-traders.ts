import { Type } from 'typebox';
import {
  businessFilters,
  listTraders as loadTraders,
  timeFilters,
} from '../../../application/referral/list-traders.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { answerPage, listSchema, pageQuery, readPage, referralTag } from './referral-schemas.ts';

const addressLength = 42;

const traderItem = strictObject({
  address: addressText("The trader's wallet"),
  bound_at: timeText('When it was bound to the caller'),
  spot_volume: decimalText('Fees of its spot trades that earned commission, in USDT'),
  futures_volume: decimalText('The same for futures', '0'),
  spot_commission: decimalText('Commission on these fees that is settled on chain', '1.05'),
  futures_commission: decimalText('The same for futures', '0'),
  total_commission: decimalText('The sum of the two', '1.05'),
  last_trade_at: nullable(timeText('Its last trade that earned commission')),
  status: oneOf(['active', 'inactive'], {
    description: 'active: such a trade within the last 7 days',
  }),
});

/** The caller's direct traders. */
export function listTraders(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/traders',
    tag: referralTag,
    summary: 'List direct traders',
    description:
      'Traders that are bound to the caller and are not affiliates, by the time of their ' +
      'binding, newest first. biz and time select what is summed, not which traders are ' +
      'listed.',
    weight: 5,
    auth: tokenOnly,
    query: strictObject({
      biz: Type.Optional(
        oneOf(businessFilters, {
          description: 'spot: the futures fields are "0", and the reverse',
          default: 'all',
        }),
      ),
      time: Type.Optional(
        oneOf(timeFilters, { description: 'The period of the sums', default: 'all' }),
      ),
      q: Type.Optional(
        Type.String({
          maxLength: addressLength,
          description: 'A part of the address, in any letter case',
          examples: ['79c8'],
        }),
      ),
      ...pageQuery,
    }),
    answer: listSchema(traderItem, 'All direct traders, whatever the filters'),
    handle: async ({ caller, query }) => {
      const page = readPage(query);
      const traders = await loadTraders(ports, caller.address, {
        ...page,
        business: query.biz ?? 'all',
        time: query.time ?? 'all',
        search: query.q ?? '',
      });
      return answerPage(traders, page);
    },
  });
}
