import {
  type FaucetPorts,
  requestTestFunds,
} from '../../../application/wallet/request-test-funds.ts';
import { done } from '../../../domain/outcome.ts';
import { okSchema, tokenInput } from '../admin/admin-schemas.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { readAmount } from '../read-decimal.ts';
import { decimalInput, strictObject } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';

/** Credits test money to a signed-in user. */
export function requestTestFundsEndpoint(ports: FaucetPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/faucet',
    tag: 'Spot wallet',
    summary: 'Request test money (test networks)',
    description:
      'Credits the signed-in user with up to 100000 of a traded token, once per minute and ' +
      'token. DISABLED unless TESTNET_ONLY is exactly `true`; a request too soon is ' +
      'RATE_LIMITED with Retry-After.',
    weight: 1,
    auth: tokenOnly,
    body: strictObject({
      token: tokenInput('A token of a spot market', 'USDT'),
      amount: decimalInput('The amount: above 0, up to 100000, at most 8 decimals', '1000'),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['test_credits_disabled', 'amount_not_positive', 'too_soon'],
    handle: async ({ caller, body }) => {
      const amount = readAmount('amount', body.amount);
      if (amount.kind === 'refused') return amount;
      const { token } = body;
      const drawn = await requestTestFunds(ports, {
        address: caller.address,
        token,
        amount: amount.value,
      });
      return drawn.kind === 'refused' ? drawn : done({ ok: true });
    },
  });
}
