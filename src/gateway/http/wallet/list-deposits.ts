import {
  listDeposits as listOwnDeposits,
  type WalletReadPorts,
} from '../../../application/wallet/read-wallet.ts';
import { done } from '../../../domain/outcome.ts';
import { walletFailureRows } from '../../errors/wallet-errors.ts';
import { accountReads, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { listLimitDefault, pageFields } from '../spot/spot-schemas.ts';
import { depositSchema, walletListSchema, walletTag } from './wallet-schemas.ts';

/** The caller's deposits, page by page. */
export function listDeposits(ports: WalletReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/spot/deposits',
    tag: walletTag,
    summary: 'List deposits',
    description:
      'What the vault received from the caller, newest first. A deposit is credited to the ' +
      "sender's own account once its block is confirmed.",
    weight: 5,
    auth: accountReads,
    errorRows: walletFailureRows,
    query: strictObject(pageFields),
    answer: walletListSchema(depositSchema),
    handle: async ({ caller, query }) => {
      const { items, nextCursor } = await listOwnDeposits(ports, {
        address: caller.address,
        limit: query.limit ?? listLimitDefault,
        cursor: query.cursor ?? null,
      });
      return done({ items, next_cursor: nextCursor });
    },
  });
}
