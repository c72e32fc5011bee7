import { Type } from 'typebox';
import type { ClaimPorts } from '../../../application/referral/claim-use-case.ts';
import { signRewardVoucher } from '../../../application/referral/sign-reward-voucher.ts';
import { parseDecimalValue } from '../../../domain/decimal.ts';
import { type MicroUsdt, microUsdtFromDecimal } from '../../../domain/micro-usdt.ts';
import { done } from '../../../domain/outcome.ts';
import { claimErrors, signingFailureRows } from '../../errors/claim-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { voucherFields } from './claim-schemas.ts';
import { referralTag } from './referral-schemas.ts';

/** Signs any amount without an order. */
export function signReward(ports: ClaimPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/referral/on-chain/claim-signature',
    tag: referralTag,
    summary: 'Sign an amount without an order',
    description:
      'Signs any amount above zero, regardless of what is claimable; the contract pays no more than what ' +
      'is settled. POST /referral/claim is the usual way. Redeeming this signature uses up the ' +
      'nonce, so an open order can then no longer be redeemed.',
    weight: 5,
    extraLimit: 'signing',
    auth: tokenOnly,
    namedRows: [claimErrors.invalidAmount],
    errorRows: { database_failed: claimErrors.signatureError, ...signingFailureRows },
    body: strictObject({
      // Accepts any value: the handler checks it and has its own error for it.
      amount: Type.Optional(
        Type.Unknown({ description: 'In USDT, at most 6 decimals', examples: ['10.5'] }),
      ),
    }),
    answer: strictObject(voucherFields),
    handle: async ({ caller, body }) => {
      const amount = readPositive(body.amount);
      if (amount === null) return namedError(claimErrors.invalidAmount);
      return done(await signRewardVoucher(ports, { account: caller.address, amount }));
    },
  });
}

function readPositive(value: unknown): MicroUsdt | null {
  const decimal = parseDecimalValue(value);
  const amount = decimal === null ? null : microUsdtFromDecimal(decimal);
  return amount !== null && amount > 0n ? amount : null;
}
