import { apiKeysMax } from '../../src/application/account/create-api-key.ts';
import type {
  ApiKey,
  ApiKeyChange,
  ApiKeyCredential,
  ApiKeyStore,
  EndedSession,
  EndedSessions,
  ListedApiKey,
  LoginNonce,
  LoginNonceStore,
  Profile,
  ProfileStore,
} from '../../src/application/ports/accounts.ts';
import type { Address } from '../../src/domain/identifiers.ts';

/** API keys in memory; it hands out the same credential until the key changes. */
export class MemoryApiKeys implements ApiKeyStore {
  readonly #keys = new Map<string, ApiKeyCredential>();
  readonly #uses = new Map<string, number>();

  async create(credential: ApiKeyCredential): Promise<boolean> {
    if ((await this.list(credential.address)).length >= apiKeysMax) return false;
    this.#keys.set(credential.apiKey, credential);
    return true;
  }

  async list(address: Address): Promise<readonly ListedApiKey[]> {
    const own = [...this.#keys.values()].filter((key) => key.address === address).reverse();
    return own.map((key) => this.#listed(key));
  }

  async change(
    address: Address,
    apiKey: string,
    change: ApiKeyChange,
  ): Promise<ListedApiKey | null> {
    const key = this.#keys.get(apiKey);
    if (key === undefined || key.address !== address) return null;
    const changed = { ...key, ...change };
    this.#keys.set(apiKey, changed);
    return this.#listed(changed);
  }

  async remove(address: Address, apiKey: string): Promise<boolean> {
    return this.#keys.get(apiKey)?.address === address && this.#keys.delete(apiKey);
  }

  async findCredential(apiKey: string): Promise<ApiKeyCredential | null> {
    return this.recallCredential(apiKey);
  }

  recallCredential(apiKey: string): ApiKeyCredential | null {
    return this.#keys.get(apiKey) ?? null;
  }

  noteUse(apiKey: string, at: number): void {
    this.#uses.set(apiKey, at);
  }

  #listed(key: ApiKey): ListedApiKey {
    const used = this.#uses.get(key.apiKey);
    return { ...key, lastUsedAt: used === undefined ? null : new Date(used) };
  }
}

/** Sessions that were ended, with what was stored of them. */
export class MemoryEndedSessions implements EndedSessions {
  readonly ended = new Map<string, EndedSession>();

  async end(session: EndedSession): Promise<void> {
    this.ended.set(session.id, session);
  }

  recall(id: string): boolean {
    return this.ended.has(id);
  }

  async has(id: string): Promise<boolean> {
    return this.ended.has(id);
  }
}

export class MemoryLoginNonces implements LoginNonceStore {
  readonly #nonces = new Map<string, LoginNonce>();

  async issue(entry: LoginNonce): Promise<void> {
    this.#nonces.set(entry.nonce, entry);
  }

  async consume(nonce: string): Promise<LoginNonce | null> {
    const entry = this.#nonces.get(nonce) ?? null;
    this.#nonces.delete(nonce);
    return entry;
  }
}

/** Profiles of every address, all made at the same time. */
export class MemoryProfiles implements ProfileStore {
  readonly #usernames = new Map<Address, string>();

  async find(address: Address): Promise<Profile> {
    const username = this.#usernames.get(address) ?? null;
    return { address, username, createdAt: new Date(1_700_000_000_000) };
  }

  async setUsername(address: Address, username: string): Promise<'changed' | 'taken'> {
    const wanted = username.toLowerCase();
    for (const [owner, taken] of this.#usernames) {
      if (owner !== address && taken.toLowerCase() === wanted) return 'taken';
    }
    this.#usernames.set(address, username);
    return 'changed';
  }
}
