import { Type } from 'typebox';
import {
  type CreateCodePorts,
  createReferralCode,
} from '../../../application/referral/create-referral-code.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { nullable, strictObject } from '../schema.ts';
import {
  answerOutcome,
  codeLengthReadMax,
  codeText,
  referralTag,
  rowsOf,
} from './referral-schemas.ts';

/** Gives the caller a referral code. */
export function createCode(ports: CreateCodePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/codes',
    tag: referralTag,
    summary: 'Create a referral code',
    description:
      'Assigns the code, or a generated one, to the caller, who becomes an active tier-1 ' +
      'agent at the Starter rate. Each account has one code, permanently.',
    weight: 5,
    auth: tokenOnly,
    namedRows: rowsOf(['code_malformed', 'code_taken', 'code_already_created']),
    body: nullable(
      strictObject({
        code: Type.Optional(
          nullable(
            Type.String({
              maxLength: codeLengthReadMax,
              description: '4 to 20 of A-Z, 0-9 and the underscore; absent: a generated code',
              examples: ['SATOSHI_21'],
            }),
          ),
        ),
      }),
    ),
    answer: strictObject({
      ok: Type.Boolean({ description: 'Always true', examples: [true] }),
      code: codeText,
    }),
    handle: async ({ caller, body }) => {
      const requested = { account: caller.address, code: body?.code ?? null };
      return answerOutcome(await createReferralCode(ports, requested), (code) => ({
        ok: true,
        code,
      }));
    },
  });
}
