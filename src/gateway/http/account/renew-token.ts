import { done } from '../../../domain/outcome.ts';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { tokenSchema } from './token-schema.ts';

export function renewTokenEndpoint(tokens: AccessTokens): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/auth/renew',
    tag: 'Sign-in',
    summary: 'Renew a token',
    description:
      'Returns a new token for the same session; the token that is sent stays valid until it ' +
      'expires. A session lasts at most seven days from its sign-in, however often its token ' +
      'is renewed: then its last tokens expire, and the wallet has to sign in again.',
    auth: tokenOnly,
    weight: 1,
    answer: tokenSchema,
    handle: async ({ caller: { address, session } }) => {
      const { token, expiresAt } = await tokens.issue(address, session);
      return done({ token, address, expires_at: expiresAt.toISOString() });
    },
  });
}
