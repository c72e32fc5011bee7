import { Type } from 'typebox';
import type { AdminWritePorts } from '../../../application/admin/admin-write.ts';
import {
  holdWithdrawals,
  topUpInsuranceFund,
  viewInsuranceFund,
} from '../../../application/futures/insurance-fund.ts';
import { done } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { readPositiveAmount } from '../read-decimal.ts';
import { decimalInput, decimalText, nullable, strictObject, timeText } from '../schema.ts';
import { engineUnavailableIsDatabaseError } from '../spot/unavailable-rows.ts';
import { okSchema, plainTextInput } from './admin-schemas.ts';

const reasonLengthMax = 500;
const referenceLengthMax = 100;
const path = '/api/v1/admin/futures/insurance';

/** Shows what covers losses of the perpetuals. */
export function getInsuranceFund({ exchange }: Pick<AdminWritePorts, 'exchange'>): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    tag: 'Administration',
    summary: 'The insurance fund, bad debt and the withdrawal gate',
    description:
      'While bad_debt is above 0, while a market settles, and for a minute after a large ' +
      'unpaid loss or a pause of the exchange, nothing leaves the perp wallets: withdrawal ' +
      'requests return 503 WITHDRAWALS_PAUSED, transfers to spot `insufficient balance`.',
    weight: 0,
    auth: administrator,
    answer: strictObject({
      balance: decimalText(
        'The balance of the fund, including what it has promised, in USDT',
        '25000',
      ),
      held: decimalText('The amount promised to accounts in liquidation', '0'),
      bad_debt: decimalText('Unpaid losses', '0'),
      fee_revenue: decimalText(
        'Collected fees in USDT, from which the fund can be topped up',
        '1500.25',
      ),
      accounts_in_liquidation: Type.Integer({
        description: 'Accounts that are being closed',
        examples: [0],
      }),
      withdrawals_gated: Type.Boolean({
        description: 'Whether withdrawals and transfers from perp wallets are blocked',
        examples: [false],
      }),
      withdrawals_held: Type.Boolean({
        description: 'Whether an audit or an administrator is holding them back',
        examples: [false],
      }),
      gated_until: nullable(timeText('The end of the minute after the last cause; null: none')),
    }),
    handle: async () => done(await exchange.read(({ futures }) => viewInsuranceFund(futures))),
  });
}

/** Moves the exchange's own money to the insurance fund. */
export function topUpInsuranceFundEndpoint(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path,
    tag: 'Administration',
    summary: 'Top up the insurance fund',
    description:
      'From collected fees, or with new money of the treasury, which must be in the vault. ' +
      'Bad debt is repaid first. A repeated reference has no further effect.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      amount: decimalInput('USDT, above 0, at most 8 decimals', '10000'),
      source: Type.Union([Type.Literal('fees'), Type.Literal('treasury')], {
        description: 'The source of the money',
        examples: ['treasury'],
      }),
      reason: Type.Optional(
        nullable(plainTextInput(reasonLengthMax, 'Kept in the audit record', 'after the fall')),
      ),
      reference: Type.Optional(
        nullable(
          plainTextInput(
            referenceLengthMax,
            'Identifies this top-up, so that a retry adds nothing',
            'top-up-7',
          ),
        ),
      ),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: ['insufficient_balance', 'amount_out_of_range'],
    handle: async ({ body }) => {
      const amount = readPositiveAmount('amount', body.amount);
      if (amount.kind === 'refused') return amount;
      const { source, reason = null, reference = null } = body;
      const moved = await topUpInsuranceFund(ports, {
        amount: amount.value,
        source,
        reason,
        reference,
      });
      return moved.kind === 'refused' ? moved : done({ ok: true });
    },
  });
}

/** Shuts the withdrawal gate until it is opened again. */
export function holdWithdrawalsEndpoint(ports: AdminWritePorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/futures/withdrawals',
    tag: 'Administration',
    summary: 'Hold or release withdrawals from the perp wallets',
    description:
      'If the audit of a snapshot finds a broken rule, it holds them back automatically. ' +
      'They continue a minute after an administrator has released them.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      held: Type.Boolean({ description: 'Whether withdrawals are held back', examples: [true] }),
      reason: Type.Optional(
        nullable(plainTextInput(reasonLengthMax, 'Kept in the audit record', 'audited')),
      ),
    }),
    answer: okSchema,
    errorRows: engineUnavailableIsDatabaseError,
    reasons: [],
    handle: async ({ body: { held, reason = null } }) => {
      const set = await holdWithdrawals(ports, { isHeld: held, reason });
      return set.kind === 'refused' ? set : done({ ok: true });
    },
  });
}
