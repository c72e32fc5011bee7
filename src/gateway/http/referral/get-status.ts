import { Type } from 'typebox';
import { loadReferralStatus } from '../../../application/referral/load-referral-status.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { codeText, count, referralTag } from './referral-schemas.ts';

export const tierFields = {
  tier_level: nullable(count('0 Starter to 4 Diamond; null for accounts that are not agents', 0)),
  tier_name: nullable(
    Type.String({
      description:
        'Starter, Silver, Gold, Platinum or Diamond; null for accounts that are not agents',
      examples: ['Starter'],
    }),
  ),
  rebate_rate: nullable(
    decimalText(
      "The caller's share of a fee: an affiliate's sub_rate, otherwise the agent's rate",
      '0.1',
    ),
  ),
};

/** The caller's status in the program. */
export function getStatus(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/status',
    tag: referralTag,
    summary: 'Referral status',
    description: "The caller's referrer, and its standing as an agent. Absent values are null.",
    weight: 2,
    auth: tokenOnly,
    answer: strictObject({
      address: addressText('The caller'),
      code: nullable(codeText),
      referrer: nullable(addressText('The account to which the caller is bound')),
      referrer_code: nullable(codeText),
      bound_at: nullable(timeText('Since when')),
      is_bound: Type.Boolean({ description: 'Whether the caller is bound', examples: [true] }),
      is_affiliate: Type.Boolean({
        description: "Whether the caller is its referrer's affiliate",
        examples: [false],
      }),
      sub_rate: nullable(decimalText('The rate passed down to the caller as an affiliate', '0.05')),
      agent_tier: nullable(count('1 for an agent: an account that has created a code', 1)),
      agent_status: nullable(
        Type.String({ description: 'active or suspended', examples: ['active'] }),
      ),
      ...tierFields,
      referred_users: count('Number of accounts bound to the caller'),
    }),
    handle: async ({ caller }) => done(await loadReferralStatus(ports, caller.address)),
  });
}
