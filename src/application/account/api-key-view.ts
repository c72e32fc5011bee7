import type { ListedApiKey } from '../ports/accounts.ts';

/** An API key as its owner sees it, without the secret. */
export interface ApiKeyView {
  readonly api_key: string;
  readonly label: string;
  readonly ip_whitelist: readonly string[];
  readonly permissions: readonly string[];
  readonly enabled: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export function viewApiKey(key: ListedApiKey): ApiKeyView {
  return {
    api_key: key.apiKey,
    label: key.label,
    ip_whitelist: key.ipWhitelist,
    permissions: key.permissions,
    enabled: key.isEnabled,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
