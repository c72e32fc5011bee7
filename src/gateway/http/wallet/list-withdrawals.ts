import {
  listWithdrawals as listOwnWithdrawals,
  loadWithdrawal,
  type WalletReadPorts,
} from '../../../application/wallet/read-wallet.ts';
import { isUuid } from '../../../domain/order-id.ts';
import { done } from '../../../domain/outcome.ts';
import { spotErrors } from '../../errors/plain-errors.ts';
import { walletErrors, walletFailureRows } from '../../errors/wallet-errors.ts';
import { accountReads, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { listLimitDefault, pageFields } from '../spot/spot-schemas.ts';
import {
  walletListSchema,
  walletTag,
  withdrawalIdText,
  withdrawalSchema,
} from './wallet-schemas.ts';

/** The caller's withdrawals, page by page. */
export function listWithdrawals(ports: WalletReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/withdrawals',
    tag: walletTag,
    summary: 'List withdrawals',
    description: "The caller's withdrawals, newest first.",
    weight: 5,
    auth: accountReads,
    errorRows: walletFailureRows,
    query: strictObject(pageFields),
    answer: walletListSchema(withdrawalSchema),
    handle: async ({ caller, query }) => {
      const { items, nextCursor } = await listOwnWithdrawals(ports, {
        address: caller.address,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      return done({ items, next_cursor: nextCursor });
    },
  });
}

/** One withdrawal of the caller. */
export function getWithdrawal(ports: WalletReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/withdrawals/:id',
    tag: walletTag,
    summary: 'Get a withdrawal',
    description:
      'One withdrawal of the caller, with its signature in case the response was lost. A ' +
      'withdrawal of another account is not found.',
    weight: 2,
    auth: accountReads,
    errorRows: walletFailureRows,
    namedRows: [spotErrors.invalidId, walletErrors.notFound],
    params: strictObject({ id: withdrawalIdText }),
    answer: withdrawalSchema,
    handle: async ({ caller, params }) => {
      if (!isUuid(params.id)) return namedError(spotErrors.invalidId);
      const withdrawal = await loadWithdrawal(ports, caller.address, params.id);
      return withdrawal === null ? namedError(walletErrors.notFound) : done(withdrawal);
    },
  });
}
