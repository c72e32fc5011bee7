import type { ListenKeyStore } from '../../../application/futures/listen-keys.ts';
import { done } from '../../../domain/outcome.ts';
import { exchangeErrors } from '../../errors/exchange-errors.ts';
import { type AccountAuth, type Endpoint, namedError } from '../endpoint.ts';
import { empty } from '../fapi/reference/field-schemas.ts';
import { listenKey } from './reference/spot-account-answers.ts';
import { accountSpot, spotReads } from './spot-endpoint.ts';

const path = '/api/v3/userDataStream';
const { invalidListenKey } = exchangeErrors;

/**
 * Keys for the private streams: the account's single listen key, which opens those of spot and of
 * futures. As at Binance, these calls need only the key's header if that is allowed.
 */
export function userDataStreamEndpoints(
  keys: ListenKeyStore,
  isUnsigned: boolean,
): readonly Endpoint[] {
  const auth: AccountAuth = { ...spotReads, isSignatureOptional: isUnsigned };
  const fields = { listenKey: 'The key; it need not be sent, since an account has one' };
  const text = { path, weight: 2, namedRows: [invalidListenKey] } as const;
  return [
    accountSpot(auth, {
      method: 'POST',
      path,
      summary: 'Issue a listen key',
      weight: 2,
      fields: {},
      description: 'The existing key with its lifetime extended, or a new one.',
      answer: listenKey,
      handle: async (_fields, { address }) => {
        const issued = await keys.issue(address);
        return done({ listenKey: issued.listenKey });
      },
    }),
    accountSpot(auth, {
      ...text,
      method: 'PUT',
      summary: 'Renew the listen key',
      fields,
      answer: empty,
      handle: async (_fields, { address }) => {
        const renewed = await keys.renew(address);
        return renewed === null ? namedError(invalidListenKey) : done({});
      },
    }),
    accountSpot(auth, {
      ...text,
      method: 'DELETE',
      summary: 'Revoke the listen key',
      fields,
      answer: empty,
      description: 'It is revoked for futures too.',
      handle: async (_fields, { address }) =>
        (await keys.revoke(address)) ? done({}) : namedError(invalidListenKey),
    }),
  ];
}
