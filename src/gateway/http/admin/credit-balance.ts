import { Type } from 'typebox';
import {
  creditSpotBalance,
  type TestCreditPorts,
} from '../../../application/admin/credit-spot-balance.ts';
import { assert } from '../../../domain/assert.ts';
import { parseAddress } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readAmount } from '../read-decimal.ts';
import { addressInput, decimalInput, nullable, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema, plainTextInput, tokenInput } from './admin-schemas.ts';

const reasonLengthMax = 500;
const referenceLengthMax = 100;

/** Credits test money; available only if TESTNET_ONLY is exactly `true`. */
export function creditBalance(ports: TestCreditPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/spot/balances/credit',
    tag: 'Administration',
    summary: 'Credit a spot balance (test networks)',
    description:
      'Adds test money to an account, opening the account if needed, and records who did it ' +
      'and why. DISABLED unless TESTNET_ONLY is exactly `true`. A repeated reference has no ' +
      'further effect.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      user_address: addressInput('The recipient'),
      token: tokenInput('The token', 'USDT'),
      amount: decimalInput('The amount, above 0, at most 8 decimals', '1000'),
      reason: Type.Optional(
        nullable(plainTextInput(reasonLengthMax, 'Kept in the audit record', 'load test')),
      ),
      reference: Type.Optional(
        nullable(
          plainTextInput(
            referenceLengthMax,
            'Identifies this credit, so that a retry adds nothing',
            'load-test-7',
          ),
        ),
      ),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['test_credits_disabled', 'amount_not_positive'],
    handle: async ({ body }) => {
      const amount = readAmount('amount', body.amount);
      if (amount.kind === 'refused') return amount;
      const address = parseAddress(body.user_address);
      assert(address !== null, 'the schema takes addresses only');
      const credited = await creditSpotBalance(ports, {
        address,
        token: body.token,
        amount: amount.value,
        reason: body.reason ?? null,
        reference: body.reference ?? null,
      });
      return credited.kind === 'refused' ? credited : done({ ok: true });
    },
  });
}
