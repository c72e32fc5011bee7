import { Type } from 'typebox';
import { cancelPerpWithdrawal } from '../../../application/wallet/cancel-perp-withdrawal.ts';
import { confirmPerpWithdrawal } from '../../../application/wallet/confirm-perp-withdrawal.ts';
import { listPerpWithdrawals } from '../../../application/wallet/read-wallet.ts';
import {
  type PerpWithdrawalOutcome,
  type PerpWithdrawalRefusal,
  type PerpWithdrawPorts,
  perpMinimumOf,
  requestPerpWithdrawal,
} from '../../../application/wallet/request-perp-withdrawal.ts';
import type { PerpWithdrawalView } from '../../../application/wallet/wallet-ports.ts';
import { formatDecimal, parseDecimalValue } from '../../../domain/decimal.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { done, type Outcome, refused } from '../../../domain/outcome.ts';
import { perpWalletRows } from '../../errors/perp-wallet-errors.ts';
import {
  accountReads,
  accountTrades,
  accountWithdraws,
  defineEndpoint,
  type Endpoint,
  type NamedError,
  namedError,
} from '../endpoint.ts';
import { decimalInput, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { listLimitDefault, pageFields } from '../spot/spot-schemas.ts';
import {
  payableAt,
  signedWithdrawalFields,
  tokenField,
  walletListSchema,
  withdrawalIdText,
} from './wallet-schemas.ts';

const perpWalletTag = 'Perp wallet';

const perpStatuses = [
  'pending',
  'review',
  'approved',
  'signed',
  'queued',
  'completed',
  'returned',
  'expired',
  'canceled',
] as const;

const perpWithdrawalSchema = strictObject(
  {
    ...signedWithdrawalFields,
    payable_at: payableAt,
    status: oneOf(perpStatuses, {
      description:
        'pending: set aside, waits for confirm or cancel; review: two people review it first; ' +
        'approved: confirm it again; signed: submit it to the vault; queued: released beyond ' +
        'the limits of the vault, which pays it from payable_at; completed: the payment is ' +
        'confirmed on chain; returned: it was refused or removed from the queue, and the ' +
        'amount is available again; expired: it can no longer be released, and the amount is ' +
        'available again',
    }),
    tx_hash: nullable(Type.String({ description: 'The transaction of the release; null before' })),
    created_at: timeText('When it was requested'),
    finished_at: nullable(
      timeText('When it was completed, canceled, returned or expired; null before'),
    ),
  },
  { title: 'PerpWithdrawal' },
);

const requestRefusals: readonly PerpWithdrawalRefusal[] = [
  'token_unsupported',
  'below_minimum',
  'chain_not_initialized',
  'withdrawals_paused',
  'too_many_withdrawals',
  'signer_unavailable',
  'insufficient_balance',
];
const confirmRefusals: readonly PerpWithdrawalRefusal[] = [
  'withdrawal_not_found',
  'withdrawal_not_pending',
  'chain_not_initialized',
  'chain_query_failed',
  'withdrawal_pending',
  'withdrawal_slot_conflict',
  'signer_unavailable',
  'sign_failed',
];

/** Locks an amount of the perp wallet for a withdrawal. */
export function requestWithdraw(ports: PerpWithdrawPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/withdraw/request',
    tag: perpWalletTag,
    summary: 'Request a withdrawal from the perp wallet',
    description:
      'Sets the amount aside until it is confirmed or canceled. Margin and unrealized profit ' +
      'cannot be withdrawn. 503 WITHDRAWALS_PAUSED while withdrawals are paused, and while a ' +
      'loss has no payer yet; 500 SIGNER_UNAVAILABLE, and nothing is set aside, while the ' +
      'vault is paused or names another signer.',
    weight: 5,
    auth: accountWithdraws,
    namedRows: rowsOf(requestRefusals),
    body: strictObject({
      token: tokenField('USDT', 'USDT'),
      amount: decimalInput("The amount; digits beyond the token's decimals are truncated", '250'),
    }),
    answer: perpWithdrawalSchema,
    handle: async ({ caller, body }) => {
      const amount = parseDecimalValue(body.amount);
      if (amount === null) {
        const detail = 'amount: not a plain decimal number';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const { token } = body;
      const outcome = await requestPerpWithdrawal(ports, {
        address: caller.address,
        token,
        amount,
      });
      return answer(outcome, formatDecimal(perpMinimumOf(ports)));
    },
  });
}

/** Signs a waiting withdrawal. */
export function confirmWithdraw(ports: PerpWithdrawPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/withdraw/:id/confirm',
    tag: perpWalletTag,
    summary: 'Confirm a withdrawal',
    description:
      'Signs the release for the vault, valid for an hour of the chain’s time. Confirming a ' +
      'signed withdrawal again returns it again. If two people have to review it first, the ' +
      'status is review; once it is approved, confirm it again to have it signed.',
    weight: 5,
    extraLimit: 'signing',
    auth: accountWithdraws,
    namedRows: rowsOf(confirmRefusals),
    params: strictObject({ id: withdrawalIdText }),
    answer: perpWithdrawalSchema,
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return badId;
      return answer(await confirmPerpWithdrawal(ports, { address: caller.address, id: params.id }));
    },
  });
}

/** Cancels a waiting withdrawal and returns its amount. */
export function cancelWithdraw(ports: PerpWithdrawPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/withdraw/:id/cancel',
    tag: perpWalletTag,
    summary: 'Cancel a withdrawal',
    description: 'Possible while it is pending; returns the amount to the perp wallet.',
    weight: 5,
    auth: accountTrades,
    namedRows: rowsOf(['withdrawal_not_found', 'withdrawal_not_pending']),
    params: strictObject({ id: withdrawalIdText }),
    answer: perpWithdrawalSchema,
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return badId;
      return answer(await cancelPerpWithdrawal(ports, { address: caller.address, id: params.id }));
    },
  });
}

/** The caller's withdrawals from the perp wallet. */
export function listWithdraws(ports: PerpWithdrawPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/withdraw/history',
    tag: perpWalletTag,
    summary: 'List withdrawals from the perp wallet',
    description: "The caller's withdrawals from the perp wallet, newest first.",
    weight: 5,
    auth: accountReads,
    query: strictObject(pageFields),
    answer: walletListSchema(perpWithdrawalSchema),
    handle: async ({ caller, query }) => {
      const { items, nextCursor } = await listPerpWithdrawals(ports, {
        address: caller.address,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      return done({ items, next_cursor: nextCursor });
    },
  });
}

const badId = refused({ reason: 'parameter_invalid', detail: 'id: not a UUID' });

function rowsOf(refusals: readonly PerpWithdrawalRefusal[]) {
  return refusals.map((refusal) => perpWalletRows[refusal]);
}

function answer(
  outcome: PerpWithdrawalOutcome,
  min = '',
): Outcome<PerpWithdrawalView> | NamedError {
  if (outcome.kind === 'done') return done(outcome.withdrawal);
  return namedError(perpWalletRows[outcome.refusal], { min });
}
