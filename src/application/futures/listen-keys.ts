import type { Address } from '../../domain/identifiers.ts';

/** A key that opens an account's private streams for an hour, and again with each use. */
export interface ListenKey {
  readonly listenKey: string;
  readonly expiresAt: number;
}

/** How many milliseconds a key lives without being used. */
export const listenKeyLifetimeMs = 3_600_000;

/** The listen keys, at most one an account: the same in every process, and after a restart. */
export interface ListenKeyStore {
  /** The account's live key, extended, or a new one. @throws DatabaseError */
  issue(address: Address): Promise<ListenKey>;
  /** The account's live key, extended; null where it has none. @throws DatabaseError */
  renew(address: Address): Promise<ListenKey | null>;
  /** False where there was none. @throws DatabaseError */
  revoke(address: Address): Promise<boolean>;
  /**
   * Whose key it is; using a key keeps it alive. A key that was seen alive here stays so while the
   * database is away. @throws DatabaseError
   */
  find(listenKey: string): Promise<Address | null>;
}
