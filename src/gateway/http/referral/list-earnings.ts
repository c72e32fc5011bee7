import { Type } from 'typebox';
import { listEarnings as loadEarnings } from '../../../application/referral/list-earnings.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { decimalText, oneOf, strictObject } from '../schema.ts';
import { referralTag } from './referral-schemas.ts';

const daysDefault = 30;
const daysMax = 366;

const daySchema = strictObject({
  day: Type.String({ description: 'A UTC date', examples: ['2026-01-05'] }),
  spot_commission: decimalText('Earned directly on spot'),
  futures_commission: decimalText('Earned directly on futures', '0'),
  spread_commission: decimalText("Earned through affiliates' traders", '2.5'),
  total_commission: decimalText('The total'),
});

/** The caller's commission by day. */
export function listEarnings(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/earnings',
    tag: referralTag,
    summary: 'Commission by day',
    description:
      'Commission of the caller per UTC day, newest first, in USDT; days without ' +
      'commission are omitted.',
    weight: 2,
    auth: tokenOnly,
    query: strictObject({
      by: Type.Optional(oneOf(['day'], { description: 'The period of each sum' })),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: daysMax,
          default: daysDefault,
          description: 'Number of days, today included',
          examples: [daysDefault],
        }),
      ),
    }),
    answer: strictObject({ items: Type.Array(daySchema, { description: 'The days' }) }),
    handle: async ({ caller, query: { days = daysDefault } }) =>
      done({ items: [...(await loadEarnings(ports, caller.address, days))] }),
  });
}
