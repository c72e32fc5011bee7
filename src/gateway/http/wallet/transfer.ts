import { Type } from 'typebox';
import type { WalletReadPorts } from '../../../application/wallet/read-wallet.ts';
import { listTransfers as listOwnTransfers } from '../../../application/wallet/read-wallet.ts';
import {
  type TransferDirection,
  transferDirections,
  transferFunds,
  transferToken,
} from '../../../application/wallet/transfer-funds.ts';
import { done } from '../../../domain/outcome.ts';
import { walletErrors, walletFailureRows } from '../../errors/wallet-errors.ts';
import { accountReads, defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { readAmount } from '../read-decimal.ts';
import { decimalInput, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { listLimitDefault, pageFields } from '../spot/spot-schemas.ts';
import { tokenField, walletListSchema, walletTag } from './wallet-schemas.ts';

const transferFields = {
  transfer_id: Type.String({ description: 'The id of the transfer', examples: ['17'] }),
  direction: oneOf(transferDirections, { description: 'The direction' }),
  token: Type.String({ description: 'Always USDT', examples: ['USDT'] }),
  amount: decimalText('The amount', '250'),
};

const clientTransferId = Type.String({
  description: 'An id chosen by the caller; using it again moves nothing',
  pattern: '^[A-Za-z0-9._:/-]{1,36}$',
  examples: ['rebalance-7'],
});

/** Moves USDT between the caller's spot and perp wallet. */
export function requestTransfer(ports: WalletReadPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/spot/transfer',
    tag: walletTag,
    summary: 'Transfer between spot and perp wallet',
    description:
      'Moves USDT immediately. With a client_transfer_id a retry is harmless: the same id ' +
      'returns the first transfer.',
    weight: 5,
    auth: tokenOnly,
    errorRows: {
      ...walletFailureRows,
      token_required: walletErrors.transfersNotAllowed,
      amount_not_positive: walletErrors.amountNotPositive,
      insufficient_balance: walletErrors.insufficientBalance,
      insufficient_margin: walletErrors.insufficientBalance,
    },
    reasons: ['amount_out_of_range'],
    namedRows: [
      walletErrors.invalidDirection,
      walletErrors.amountNotPositive,
      walletErrors.unsupportedToken,
    ],
    body: strictObject({
      direction: Type.String({
        description: 'spot_to_perp or perp_to_spot',
        minLength: 1,
        maxLength: 64,
        examples: ['spot_to_perp'],
      }),
      token: tokenField('USDT', 'USDT'),
      amount: decimalInput('Above 0, at most 8 decimals', '250'),
      client_transfer_id: Type.Optional(nullable(clientTransferId)),
    }),
    answer: strictObject({
      ok: Type.Literal(true, { description: 'The transfer is done' }),
      ...transferFields,
    }),
    handle: async ({ caller, body }) => {
      const amount = readAmount('amount', body.amount);
      if (amount.kind === 'refused') return amount;
      const { direction, token } = body;
      if (!isDirection(direction)) return namedError(walletErrors.invalidDirection, { direction });
      if (amount.value <= 0n) return namedError(walletErrors.amountNotPositive);
      if (token !== transferToken) return namedError(walletErrors.unsupportedToken, { token });
      const moved = await transferFunds(ports, {
        address: caller.address,
        direction,
        amount: amount.value,
        clientTransferId: body.client_transfer_id ?? null,
      });
      return moved.kind === 'refused' ? moved : done({ ok: true as const, ...moved.value });
    },
  });
}

/** The caller's transfers, page by page. */
export function listTransfers(ports: WalletReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/transfers',
    tag: walletTag,
    summary: 'List transfers',
    description: "The caller's transfers between spot and perp wallet, newest first.",
    weight: 5,
    auth: accountReads,
    errorRows: walletFailureRows,
    query: strictObject(pageFields),
    answer: walletListSchema(
      strictObject({
        ...transferFields,
        client_transfer_id: nullable(clientTransferId),
        created_at: timeText('When it was done'),
      }),
    ),
    handle: async ({ caller, query }) => {
      const { items, nextCursor } = await listOwnTransfers(ports, {
        address: caller.address,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      return done({ items, next_cursor: nextCursor });
    },
  });
}

function isDirection(text: string): text is TransferDirection {
  return transferDirections.some((direction) => direction === text);
}
