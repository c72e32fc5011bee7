import { Type } from 'typebox';
import { bindReferrer, unbindReferrer } from '../../../application/referral/bind-referrer.ts';
import type { ReferralWritePorts } from '../../../application/referral/referral-use-case.ts';
import { okSchema } from '../admin/admin-schemas.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, strictObject } from '../schema.ts';
import {
  answerOutcome,
  codeLengthReadMax,
  emptyBody,
  referralTag,
  rowsOf,
} from './referral-schemas.ts';

/** Binds the caller to a referrer. */
export function bind(ports: ReferralWritePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/bind',
    tag: referralTag,
    summary: 'Bind to a referrer',
    description:
      "Binds the caller to the owner of the code, who receives a share of the caller's " +
      'future trading fees as commission. The fees themselves stay the same.',
    weight: 5,
    auth: tokenOnly,
    namedRows: rowsOf(['code_not_found', 'self_referral', 'already_bound', 'cycle']),
    body: strictObject({
      code: Type.String({
        maxLength: codeLengthReadMax,
        description: "The referrer's code, in its letter case",
        examples: ['SATOSHI_21'],
      }),
    }),
    answer: strictObject({
      ok: Type.Boolean({ description: 'Always true', examples: [true] }),
      referrer: addressText("The code's owner"),
    }),
    handle: async ({ caller, body }) => {
      const bound = await bindReferrer(ports, { trader: caller.address, code: body.code });
      return answerOutcome(bound, (referrer) => ({ ok: true, referrer }));
    },
  });
}

/** Ends the caller's binding. */
export function unbind(ports: ReferralWritePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/unbind',
    tag: referralTag,
    summary: 'Unbind from the referrer',
    description:
      'Ends the binding, and with it the affiliate status. Commission already earned stays ' +
      'with the referrer.',
    weight: 5,
    auth: tokenOnly,
    namedRows: rowsOf(['not_bound']),
    body: emptyBody,
    answer: okSchema,
    handle: async ({ caller }) =>
      answerOutcome(await unbindReferrer(ports, caller.address), () => ({ ok: true })),
  });
}
