import { done } from '../../../domain/outcome.ts';
import type { AccessTokens } from '../../auth/access-tokens.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { addressText, strictObject } from '../schema.ts';

export function logOutEndpoint(tokens: AccessTokens): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/auth/logout',
    tag: 'Sign-in',
    summary: 'Sign out',
    description:
      'Ends the session of the token that is sent: neither it nor any token renewed from the ' +
      'same sign-in is accepted again, and private stream channels end. Other sessions of ' +
      'the account and its API keys are not affected.',
    auth: tokenOnly,
    weight: 1,
    answer: strictObject({ address: addressText('The account that was signed out') }),
    handle: async ({ caller: { address, session } }) => {
      await tokens.endSession(address, session);
      return done({ address });
    },
  });
}
