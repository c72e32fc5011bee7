import { viewApiKey } from '../../../application/account/api-key-view.ts';
import type { ApiKeyStore } from '../../../application/ports/accounts.ts';
import { done } from '../../../domain/outcome.ts';
import { accountErrors } from '../../errors/envelope-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { apiKeyParams, apiKeySchema } from './api-key-schema.ts';

export function deleteApiKeyEndpoint(apiKeys: ApiKeyStore): Endpoint {
  return defineEndpoint({
    method: 'DELETE',
    path: '/api/v1/account/api-keys/:api_key',
    tag: 'Account',
    summary: 'Delete an API key',
    description: 'Permanently deletes the key and returns it, no longer enabled.',
    auth: tokenOnly,
    weight: 1,
    namedRows: [accountErrors.apiKeyNotFound],
    params: apiKeyParams,
    answer: apiKeySchema,
    handle: async ({ caller, params }) => {
      const { address } = caller;
      const keys = await apiKeys.list(address);
      const key = keys.find((each) => each.apiKey === params.api_key);
      const isRemoved = key !== undefined && (await apiKeys.remove(address, key.apiKey));
      if (!isRemoved) return namedError(accountErrors.apiKeyNotFound);
      return done(viewApiKey({ ...key, isEnabled: false }));
    },
  });
}
