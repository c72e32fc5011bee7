import { Type } from 'typebox';
import {
  type ApiKeyPorts,
  apiKeysMax,
  createApiKey,
} from '../../../application/account/create-api-key.ts';
import type { ApiKeyPermission } from '../../../application/ports/accounts.ts';
import { done } from '../../../domain/outcome.ts';
import { accountErrors } from '../../errors/envelope-errors.ts';
import { defineEndpoint, type Endpoint, namedError, tokenOnly } from '../endpoint.ts';
import { oneOf, strictObject } from '../schema.ts';
import { apiKeyFields, exampleApiKey, labelField, whitelistField } from './api-key-schema.ts';
import { openToWithdraw, validateWhitelist } from './validate-whitelist.ts';

const permissions = ['read', 'trade', 'withdraw'] as const;
const usualPermissions = ['read', 'trade'] as const;

export function createApiKeyEndpoint(ports: ApiKeyPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/account/api-keys',
    tag: 'Account',
    summary: 'Create an API key',
    description: 'Creates a key for signed requests. Its secret is shown only in this response.',
    auth: tokenOnly,
    weight: 1,
    namedRows: [accountErrors.apiKeyLimit],
    body: strictObject({
      label: Type.Optional(labelField),
      ip_whitelist: Type.Optional(whitelistField),
      permissions: Type.Optional(
        Type.Array(oneOf(permissions, { description: 'One permission' }), {
          minItems: 1,
          uniqueItems: true,
          description:
            'Permissions of the key, read and trade by default; withdraw requires an ip_whitelist',
          examples: [['read']],
        }),
      ),
    }),
    answer: strictObject({
      ...apiKeyFields,
      api_secret: Type.String({
        description: 'The HMAC key; keep it secret, it is not shown again',
        examples: [exampleApiKey],
      }),
    }),
    handle: async ({ body, caller }) => {
      const whitelist = body.ip_whitelist ?? [];
      const fault = validateWhitelist(whitelist);
      if (fault !== null) return fault;
      const chosen: readonly ApiKeyPermission[] = body.permissions ?? usualPermissions;
      if (chosen.includes('withdraw') && whitelist.length === 0) return openToWithdraw;
      const created = await createApiKey(ports, caller.address, {
        label: body.label ?? '',
        ipWhitelist: whitelist,
        permissions: chosen,
      });
      if (created !== null) return done(created);
      return namedError(accountErrors.apiKeyLimit, { limit: String(apiKeysMax) });
    },
  });
}
