import type { ApiKeyCredential, ApiKeyPermission } from '../../application/ports/accounts.ts';
import type { Caller } from './caller.ts';
import { AddressSet } from './client-address.ts';
import { SigningKey } from './signing-key.ts';

/** An API key prepared for verifying requests. */
export interface PreparedKey {
  readonly credential: ApiKeyCredential;
  readonly caller: Caller;
  readonly permissions: ReadonlySet<ApiKeyPermission>;
  readonly signingKey: SigningKey;
  readonly whitelist: AddressSet;
}

/**
 * Prepared once for each credential, and dropped with it: the store returns the same object for
 * a key until the key changes.
 */
export class PreparedKeys {
  readonly #prepared = new WeakMap<ApiKeyCredential, PreparedKey>();

  get(credential: ApiKeyCredential): PreparedKey {
    const known = this.#prepared.get(credential);
    if (known !== undefined) return known;
    const prepared: PreparedKey = {
      credential,
      caller: { address: credential.address, apiKey: credential.apiKey, session: null },
      permissions: new Set(credential.permissions),
      signingKey: new SigningKey(credential.apiSecret),
      whitelist: new AddressSet(credential.ipWhitelist),
    };
    this.#prepared.set(credential, prepared);
    return prepared;
  }
}
