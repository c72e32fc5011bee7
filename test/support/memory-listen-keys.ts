import {
  type ListenKey,
  type ListenKeyStore,
  listenKeyLifetimeMs,
} from '../../src/application/futures/listen-keys.ts';
import type { Address } from '../../src/domain/identifiers.ts';

/** Listen keys of one process that are not stored. */
export class MemoryListenKeys implements ListenKeyStore {
  readonly #makeKey: () => string;
  readonly #now: () => number;
  readonly #byAddress = new Map<Address, ListenKey>();

  constructor(parts: { readonly makeKey: () => string; readonly now: () => number }) {
    this.#makeKey = parts.makeKey;
    this.#now = parts.now;
  }

  async issue(address: Address): Promise<ListenKey> {
    return (await this.renew(address)) ?? this.#keep(address, this.#makeKey());
  }

  async renew(address: Address): Promise<ListenKey | null> {
    const known = this.#byAddress.get(address);
    if (known === undefined || known.expiresAt <= this.#now()) return null;
    return this.#keep(address, known.listenKey);
  }

  async revoke(address: Address): Promise<boolean> {
    const wasAlive = (await this.renew(address)) !== null;
    this.#byAddress.delete(address);
    return wasAlive;
  }

  async find(listenKey: string): Promise<Address | null> {
    for (const [address, known] of this.#byAddress) {
      if (known.listenKey === listenKey) return (await this.renew(address)) && address;
    }
    return null;
  }

  #keep(address: Address, listenKey: string): ListenKey {
    const key = { listenKey, expiresAt: this.#now() + listenKeyLifetimeMs };
    this.#byAddress.set(address, key);
    return key;
  }
}
