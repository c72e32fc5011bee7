import { type Static, Type } from 'typebox';
import {
  changeAgent,
  rebateRateMax,
  tierLevelMax,
} from '../../../application/referral/change-agent.ts';
import type { AgentChange } from '../../../application/referral/referral-ports.ts';
import type { ReferralWritePorts } from '../../../application/referral/referral-use-case.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { referralAdminErrors } from '../../errors/referral-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { invalid } from '../read-decimal.ts';
import { readRate } from '../referral/referral-schemas.ts';
import { addressInput, decimalInput, nullable, oneOf, strictObject } from '../schema.ts';
import { okSchema } from './admin-schemas.ts';

const agentBody = strictObject({
  tier_level: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: tierLevelMax,
        description: '0 Starter to 4 Diamond; sets the rate of the tier unless one is given',
        examples: [2],
      }),
    ),
  ),
  rebate_rate: Type.Optional(
    Type.Unsafe<string | number | null>({
      ...decimalInput('From 0 to 1', '0.2'),
      type: ['string', 'number', 'null'],
    }),
  ),
  status: Type.Optional(
    nullable(oneOf(['active', 'suspended'], { description: 'A suspended agent earns nothing' })),
  ),
});

/** Sets the tier, rate or status of an agent. */
export function changeReferralAgent(ports: ReferralWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/referral/agents/:wallet',
    tag: 'Administration',
    summary: "Change an agent's terms",
    description:
      'Sets the given fields and leaves the others unchanged; applies to future trades. An ' +
      'account without a code keeps these terms until it creates one.',
    weight: 0,
    auth: administrator,
    namedRows: [referralAdminErrors.userNotFound],
    params: strictObject({ wallet: addressInput('The agent') }),
    body: agentBody,
    answer: okSchema,
    handle: async ({ params, body }) => {
      // The schema accepts only addresses.
      const change = readChange(params.wallet.toLowerCase() as Address, body);
      if (change.kind === 'refused') return change;
      const changed = await changeAgent(ports, change.value);
      if (changed.kind === 'refused') return namedError(referralAdminErrors.userNotFound);
      return done({ ok: true });
    },
  });
}

function readChange(account: Address, body: Static<typeof agentBody>): Outcome<AgentChange> {
  const { rebate_rate: rateInput, status = null, tier_level: tierLevel = null } = body;
  if (rateInput === undefined || rateInput === null) {
    if (tierLevel === null && status === null) {
      return invalid('tier_level: tier_level, rebate_rate or status is required');
    }
    return done({ account, tierLevel, status, rebateRate: null });
  }
  const rate = readRate('rebate_rate', rateInput);
  if (rate.kind === 'refused') return rate;
  if (rate.value < 0n || rate.value > rebateRateMax) return invalid('rebate_rate: from 0 to 1');
  return done({ account, tierLevel, status, rebateRate: rate.value });
}
