import { changeSubRate, promoteTrader } from '../../../application/referral/promote-trader.ts';
import type { ReferralWritePorts } from '../../../application/referral/referral-use-case.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { okSchema } from '../admin/admin-schemas.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressInput, decimalInput, strictObject } from '../schema.ts';
import { answerOutcome, readRate, referralTag, rowsOf } from './referral-schemas.ts';

const subRateInput = decimalInput("From 0 to the caller's own rebate rate", '0.05');

/** Makes a direct trader an affiliate. */
export function promoteAffiliate(ports: ReferralWritePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/affiliates',
    tag: referralTag,
    summary: 'Promote a trader to affiliate',
    description:
      "The affiliate then earns sub_rate of its traders' fees, and the caller the rest of " +
      "the caller's rate. The target must be an active agent and a direct trader of the " +
      'caller.',
    weight: 5,
    auth: tokenOnly,
    namedRows: rowsOf([
      'self_assignment',
      'sub_rate_exceeds_own',
      'account_not_found',
      'target_not_agent',
      'target_not_direct_trader',
      'already_affiliate',
    ]),
    body: strictObject({
      wallet: addressInput('The trader to promote'),
      sub_rate: subRateInput,
    }),
    answer: okSchema,
    handle: async ({ caller, body }) => {
      const subRate = readRate('sub_rate', body.sub_rate);
      if (subRate.kind === 'refused') return subRate;
      const promoted = await promoteTrader(ports, {
        caller: caller.address,
        target: lowercase(body.wallet),
        subRate: subRate.value,
      });
      return answerOutcome(promoted, () => ({ ok: true }));
    },
  });
}

/** Changes an affiliate's rate. */
export function changeAffiliate(ports: ReferralWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/referral/affiliates/:wallet',
    tag: referralTag,
    summary: "Change an affiliate's rate",
    description: 'Applies to future trades.',
    weight: 5,
    auth: tokenOnly,
    namedRows: rowsOf(['sub_rate_exceeds_own', 'affiliate_not_found']),
    params: strictObject({ wallet: addressInput('The affiliate') }),
    body: strictObject({ sub_rate: subRateInput }),
    answer: okSchema,
    handle: async ({ caller, params, body }) => {
      const subRate = readRate('sub_rate', body.sub_rate);
      if (subRate.kind === 'refused') return subRate;
      const changed = await changeSubRate(ports, {
        caller: caller.address,
        target: lowercase(params.wallet),
        subRate: subRate.value,
      });
      return answerOutcome(changed, () => ({ ok: true }));
    },
  });
}

// The schema accepts only addresses.
function lowercase(wallet: string): Address {
  return wallet.toLowerCase() as Address;
}
