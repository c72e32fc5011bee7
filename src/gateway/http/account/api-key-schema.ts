import { Type } from 'typebox';
import { nullable, strictObject, timeText } from '../schema.ts';

export const exampleApiKey = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';

const labelLengthMax = 64;
const whitelistMax = 50;
const addressBlockLengthMax = 49;

export const labelField = Type.String({
  maxLength: labelLengthMax,
  description: 'A label for the key, visible only to its owner',
  examples: ['trading bot'],
});

export const whitelistField = Type.Array(Type.String({ maxLength: addressBlockLengthMax }), {
  maxItems: whitelistMax,
  description: 'Addresses and CIDR blocks from which the key can be used; empty: anywhere',
  examples: [['203.0.113.7', '2001:db8::/48']],
});

export const apiKeyFields = {
  api_key: Type.String({ description: 'Sent as X-MBX-APIKEY', examples: [exampleApiKey] }),
  label: labelField,
  ip_whitelist: whitelistField,
  permissions: Type.Array(Type.String(), {
    description: 'Permissions of the key: read, trade',
    examples: [['read', 'trade']],
  }),
  enabled: Type.Boolean({ description: 'Whether the key is accepted', examples: [true] }),
  created_at: timeText('When the key was created'),
  last_used_at: nullable(
    timeText('When a request with the key was last accepted, to the minute; null: never'),
  ),
};

/** An API key without its secret. */
export const apiKeySchema = strictObject(apiKeyFields, { title: 'ApiKey' });

export const apiKeyParams = strictObject({
  api_key: Type.String({ description: 'The key itself', examples: [exampleApiKey] }),
});
