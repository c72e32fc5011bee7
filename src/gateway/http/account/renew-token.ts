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
      'Answers a new token for the session of the token that is sent, which stays valid until it ' +
      'expires. Seven days after its sign-in a session has no token any more, however often it is ' +
      'renewed: the last tokens expire at that time, and the wallet signs in again.',
    auth: tokenOnly,
    weight: 1,
    answer: tokenSchema,
    handle: async ({ caller: { address, session } }) => {
      const { token, expiresAt } = await tokens.issue(address, session);
      return done({ token, address, expires_at: expiresAt.toISOString() });
    },
  });
}
