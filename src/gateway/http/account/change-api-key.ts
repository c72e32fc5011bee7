import { Type } from 'typebox';
import { viewApiKey } from '../../../application/account/api-key-view.ts';
import type { ApiKeyStore } from '../../../application/ports/accounts.ts';
import type { Address } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { accountErrors } from '../../errors/envelope-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { strictObject } from '../schema.ts';
import { apiKeyParams, apiKeySchema, labelField, whitelistField } from './api-key-schema.ts';
import { openToWithdraw, validateWhitelist } from './validate-whitelist.ts';

async function mayWithdraw(apiKeys: ApiKeyStore, owner: Address, name: string): Promise<boolean> {
  const keys = await apiKeys.list(owner);
  const key = keys.find(({ apiKey }) => apiKey === name);
  return key?.permissions.includes('withdraw') === true;
}

export function changeApiKeyEndpoint(apiKeys: ApiKeyStore): Endpoint {
  return defineEndpoint({
    method: 'PATCH',
    path: '/api/v1/account/api-keys/:api_key',
    tag: 'Account',
    summary: 'Change an API key',
    description: 'Changes the given fields (label, enabled, IP whitelist) with immediate effect.',
    auth: tokenOnly,
    weight: 1,
    namedRows: [accountErrors.apiKeyNotFound],
    params: apiKeyParams,
    body: strictObject({
      label: Type.Optional(labelField),
      enabled: Type.Optional(Type.Boolean({ description: 'Whether the key is accepted' })),
      ip_whitelist: Type.Optional(whitelistField),
    }),
    answer: apiKeySchema,
    handle: async ({ body, caller, params }) => {
      const { label, enabled, ip_whitelist: whitelist } = body;
      const fault = validateWhitelist(whitelist ?? []);
      if (fault !== null) return fault;
      if (whitelist?.length === 0 && (await mayWithdraw(apiKeys, caller.address, params.api_key))) {
        return openToWithdraw;
      }
      const changed = await apiKeys.change(caller.address, params.api_key, {
        ...(label === undefined ? {} : { label }),
        ...(enabled === undefined ? {} : { isEnabled: enabled }),
        ...(whitelist === undefined ? {} : { ipWhitelist: whitelist }),
      });
      return changed === null
        ? namedError(accountErrors.apiKeyNotFound)
        : done(viewApiKey(changed));
    },
  });
}
