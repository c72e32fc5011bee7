import { Type } from 'typebox';
import { viewApiKey } from '../../../application/account/api-key-view.ts';
import type { ApiKeyStore } from '../../../application/ports/accounts.ts';
import { done } from '../../../domain/outcome.ts';
import { accountErrors } from '../../errors/envelope-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { apiKeyParams, apiKeySchema } from './api-key-schema.ts';

export function listApiKeysEndpoint(apiKeys: ApiKeyStore): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/api-keys',
    tag: 'Account',
    summary: 'List API keys',
    description: "The account's keys, newest first, without their secrets.",
    auth: tokenOnly,
    weight: 1,
    answer: Type.Array(apiKeySchema, { description: 'The keys' }),
    handle: async ({ caller }) => done((await apiKeys.list(caller.address)).map(viewApiKey)),
  });
}

export function getApiKeyEndpoint(apiKeys: ApiKeyStore): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/account/api-keys/:api_key',
    tag: 'Account',
    summary: 'Get an API key',
    description: "One of the account's keys, without its secret.",
    auth: tokenOnly,
    weight: 1,
    namedRows: [accountErrors.apiKeyNotFound],
    params: apiKeyParams,
    answer: apiKeySchema,
    handle: async ({ caller, params }) => {
      const keys = await apiKeys.list(caller.address);
      const key = keys.find((each) => each.apiKey === params.api_key);
      return key === undefined ? namedError(accountErrors.apiKeyNotFound) : done(viewApiKey(key));
    },
  });
}
