import type { Address } from '../../domain/identifiers.ts';

/** A key that opens an account's private streams for an hour, and again with each use. */
export interface ListenKey {
  readonly listenKey: string;
  readonly expiresAt: number;
}

/** How many milliseconds a key lives without being used. */
export const listenKeyLifetimeMs = 3_600_000;

/**
 * The listen keys, at most one an account, kept in memory: a restart ends every stream anyway, and
 * clients ask for a key before they connect again.
 */
export class ListenKeyStore {
  readonly #makeKey: () => string;
  readonly #now: () => number;
  readonly #byKey = new Map<string, { readonly address: Address; expiresAt: number }>();
  readonly #byAddress = new Map<Address, string>();

  constructor(parts: { readonly makeKey: () => string; readonly now: () => number }) {
    this.#makeKey = parts.makeKey;
    this.#now = parts.now;
  }

  /** The account's live key, extended, or a new one. */
  issue(address: Address): ListenKey {
    return this.renew(address) ?? this.#create(address);
  }

  /** The account's live key, extended; null where it has none. */
  renew(address: Address): ListenKey | null {
    const listenKey = this.#byAddress.get(address);
    if (listenKey === undefined || this.#touch(listenKey) === null) return null;
    return { listenKey, expiresAt: this.#now() + listenKeyLifetimeMs };
  }

  /** False where there was none. */
  revoke(address: Address): boolean {
    const listenKey = this.#byAddress.get(address);
    if (listenKey === undefined) return false;
    const isLive = this.#touch(listenKey) !== null;
    this.#forget(listenKey, address);
    return isLive;
  }

  /** Whose key it is; using a key keeps it alive. */
  async find(listenKey: string): Promise<Address | null> {
    return this.#touch(listenKey);
  }

  #touch(listenKey: string): Address | null {
    const entry = this.#byKey.get(listenKey);
    if (entry === undefined) return null;
    if (entry.expiresAt <= this.#now()) {
      this.#forget(listenKey, entry.address);
      return null;
    }
    entry.expiresAt = this.#now() + listenKeyLifetimeMs;
    return entry.address;
  }

  #create(address: Address): ListenKey {
    const listenKey = this.#makeKey();
    const expiresAt = this.#now() + listenKeyLifetimeMs;
    this.#byKey.set(listenKey, { address, expiresAt });
    this.#byAddress.set(address, listenKey);
    return { listenKey, expiresAt };
  }

  #forget(listenKey: string, address: Address): void {
    this.#byKey.delete(listenKey);
    this.#byAddress.delete(address);
  }
}
