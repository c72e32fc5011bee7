import { Type } from 'typebox';
import type {
  FailedSettlementPorts,
  SettlementRetryRefusal,
} from '../../../application/referral/claim-ports.ts';
import { listFailed } from '../../../application/referral/list-failed.ts';
import { retrySettlement as reopen } from '../../../application/referral/retry-settlement.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../../domain/micro-usdt.ts';
import { done } from '../../../domain/outcome.ts';
import { claimErrors } from '../../errors/claim-errors.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { referralAdminErrors } from '../../errors/referral-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import {
  answerPage,
  count,
  listSchema,
  pageQuery,
  readPage,
} from '../referral/referral-schemas.ts';
import { addressInput, addressText, decimalText, strictObject } from '../schema.ts';
import { okSchema } from './admin-schemas.ts';

const retryRows: Readonly<Record<SettlementRetryRefusal, ErrorRow>> = {
  account_not_found: referralAdminErrors.userNotFound,
  settlement_not_failed: claimErrors.settlementNotFailed,
  settlement_under_way: claimErrors.settlementUnderWay,
};

const failedSettlement = strictObject({
  address: addressText('The account that earned the commission'),
  commission: decimalText('In USDT'),
  earnings: count('Number of earnings', 3),
  error: Type.String({
    description: 'The error of the last attempt',
    examples: ['InvalidAccount'],
  }),
});

/** Lists accounts whose commission could not be settled. */
export function listFailedSettlements(ports: FailedSettlementPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/admin/referral/settlements/failed',
    tag: 'Administration',
    summary: 'List failed settlements',
    description: 'Accounts with commission that failed three times, oldest account first.',
    weight: 0,
    auth: administrator,
    query: strictObject(pageQuery),
    answer: listSchema(failedSettlement, 'Number of accounts'),
    handle: async ({ query }) => {
      const page = readPage(query);
      return answerPage(await listFailed(ports, page), page);
    },
  });
}

/** Retries failed commission. */
export function retrySettlement(ports: FailedSettlementPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/referral/settlements/retry',
    tag: 'Administration',
    summary: 'Retry a failed settlement',
    description:
      "Puts the account's failed commission back to pending, with three attempts from the next " +
      'settlement on.',
    weight: 0,
    auth: administrator,
    namedRows: Object.values(retryRows),
    body: strictObject({ address: addressInput('The account that earned the commission') }),
    answer: strictObject({
      ...okSchema.properties,
      address: addressText('The account'),
      commission: decimalText('The amount that is pending again, in USDT'),
    }),
    handle: async ({ body }) => {
      // The schema accepts only addresses.
      const address = body.address.toLowerCase() as Address;
      const outcome = await reopen(ports, address);
      if (outcome.kind === 'refused') return namedError(retryRows[outcome.refusal]);
      return done({ ok: true, address, commission: formatMicroUsdt(outcome.value) });
    },
  });
}
