import type { ApiKeyCredential, ApiKeyPermission } from '../../application/ports/accounts.ts';
import type { Caller } from './caller.ts';
import { AddressSet } from './client-address.ts';
import { SigningKey } from './signing-key.ts';

/** An API key prepared for verifying requests. */
export interface KeySession {
  readonly credential: ApiKeyCredential;
  readonly caller: Caller;
  readonly permissions: ReadonlySet<ApiKeyPermission>;
  readonly signingKey: SigningKey;
  readonly whitelist: AddressSet;
}

/**
 * Sessions live as long as the credential they are made from: the store returns the same object for
 * a key until the key changes.
 */
export class KeySessions {
  readonly #sessions = new WeakMap<ApiKeyCredential, KeySession>();

  get(credential: ApiKeyCredential): KeySession {
    const known = this.#sessions.get(credential);
    if (known !== undefined) return known;
    const session: KeySession = {
      credential,
      caller: { address: credential.address, apiKey: credential.apiKey, session: null },
      permissions: new Set(credential.permissions),
      signingKey: new SigningKey(credential.apiSecret),
      whitelist: new AddressSet(credential.ipWhitelist),
    };
    this.#sessions.set(credential, session);
    return session;
  }
}
