import { Type } from 'typebox';
import { listReferralLogs } from '../../../application/referral/list-referral-logs.ts';
import { referralLogTypes } from '../../../application/referral/referral-ports.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import {
  answerPage,
  codeText,
  count,
  listSchema,
  pageQuery,
  readPage,
  referralTag,
} from './referral-schemas.ts';

const logEntry = strictObject({
  id: count('Rises with each entry', 17),
  type: oneOf(referralLogTypes, { description: 'The kind of event' }),
  counterparty: nullable(addressText('The other account')),
  code: nullable(codeText),
  amount: nullable(decimalText('The amount of a claim, in USDT')),
  reference: nullable(
    Type.String({
      description: 'The number of a claim; for promote and sub_rate the rate',
      examples: ['CLM-20260105-K7M2QX9TRA'],
    }),
  ),
  created_at: timeText('When'),
});

/** The caller's log in the program. */
export function listLogs(ports: ReferralReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/referral/logs',
    tag: referralTag,
    summary: 'Referral logs',
    description:
      'Codes, bindings, promotions, rates and claims that concern the caller, newest ' +
      'first. Entries that concern two accounts are in the logs of both.',
    weight: 2,
    auth: tokenOnly,
    query: strictObject({
      ...pageQuery,
      type: Type.Optional(oneOf(referralLogTypes, { description: 'Only entries of this type' })),
    }),
    answer: listSchema(logEntry, 'Number of entries, of the given type if there is one'),
    handle: async ({ caller, query }) => {
      const page = readPage(query);
      const filter = { ...page, type: query.type ?? null };
      return answerPage(await listReferralLogs(ports, caller.address, filter), page);
    },
  });
}
