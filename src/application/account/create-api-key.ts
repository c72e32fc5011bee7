import { randomBytes } from 'node:crypto';
import type { Address } from '../../domain/identifiers.ts';
import type { ApiKeyPermission, ApiKeyStore } from '../ports/accounts.ts';
import { type ApiKeyView, viewApiKey } from './api-key-view.ts';

export interface ApiKeyPorts {
  readonly apiKeys: ApiKeyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NewApiKey {
  readonly label: string;
  /** Addresses and CIDR blocks; empty allows any address. */
  readonly ipWhitelist: readonly string[];
  readonly permissions: readonly ApiKeyPermission[];
}

/** The only view that contains the secret. */
export interface CreatedApiKeyView extends ApiKeyView {
  readonly api_secret: string;
}

/** Maximum number of API keys of an account. */
export const apiKeysMax = 100;

/**
 * Creates an API key; null if the account has the maximum number of keys.
 * @throws DatabaseError
 */
export async function createApiKey(
  { apiKeys, now }: ApiKeyPorts,
  address: Address,
  requested: NewApiKey,
): Promise<CreatedApiKeyView | null> {
  const credential = {
    ...requested,
    address,
    apiKey: randomText(),
    apiSecret: randomText(),
    isEnabled: true,
    createdAt: new Date(now()),
  };
  if (!(await apiKeys.create(credential))) return null;
  return { ...viewApiKey({ ...credential, lastUsedAt: null }), api_secret: credential.apiSecret };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const textLength = 64;
// Bytes from here on would bias the choice to the first letters.
const unbiasedBytes = 256 - (256 % alphabet.length);

function randomText(): string {
  let text = '';
  while (text.length < textLength) {
    for (const byte of randomBytes(textLength)) {
      if (byte < unbiasedBytes && text.length < textLength) {
        text += alphabet[byte % alphabet.length];
      }
    }
  }
  return text;
}
