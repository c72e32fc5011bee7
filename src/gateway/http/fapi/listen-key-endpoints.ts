import type { ListenKeyStore } from '../../../application/futures/listen-keys.ts';
import { done } from '../../../domain/outcome.ts';
import { type AccountAuth, type Endpoint, namedError } from '../endpoint.ts';
import { invalidListenKey } from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';

/** Keys for the private streams: one per account, for 3600 seconds, renewed by use. */
export function listenKeyEndpoints(keys: ListenKeyStore, isUnsigned: boolean): readonly Endpoint[] {
  const path = '/fapi/v1/listenKey';
  const auth: AccountAuth = {
    kind: 'account',
    permission: 'read',
    isSignatureOptional: isUnsigned,
  };
  const weight = 1;
  return [
    accountEndpoint(auth, {
      method: 'POST',
      path,
      summary: 'Issue a listen key',
      weight,
      fields: {},
      description: 'The existing key with its lifetime extended, or a new one.',
      answers: '`listenKey`, 64 characters',
      handle: async (_fields, { address }) => {
        const { listenKey } = await keys.issue(address);
        return done({ listenKey });
      },
    }),
    accountEndpoint(auth, {
      method: 'PUT',
      path,
      summary: 'Renew the listen key',
      weight,
      fields: {},
      answers: 'The same `listenKey`',
      namedRows: [invalidListenKey],
      handle: async (_fields, { address }) => {
        const renewed = await keys.renew(address);
        if (renewed === null) return namedError(invalidListenKey);
        return done({ listenKey: renewed.listenKey });
      },
    }),
    accountEndpoint(auth, {
      method: 'DELETE',
      path,
      summary: 'Revoke the listen key',
      weight,
      fields: {},
      answers: 'An empty object',
      namedRows: [invalidListenKey],
      handle: async (_fields, { address }) =>
        (await keys.revoke(address)) ? done({}) : namedError(invalidListenKey),
    }),
  ];
}
