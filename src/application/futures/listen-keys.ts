import type { Address } from '../../domain/identifiers.ts';

/** A key that opens an account's private streams; it expires an hour after its last use. */
export interface ListenKey {
  readonly listenKey: string;
  readonly expiresAt: number;
}

/** Milliseconds until an unused key expires. */
export const listenKeyLifetimeMs = 3_600_000;

/** The listen keys, at most one per account; shared by all processes and kept over restarts. */
export interface ListenKeyStore {
  /** The account's live key, extended, or a new one. @throws DatabaseError */
  issue(address: Address): Promise<ListenKey>;
  /** The account's live key, extended; null if it has none. @throws DatabaseError */
  renew(address: Address): Promise<ListenKey | null>;
  /** False if there was none. @throws DatabaseError */
  revoke(address: Address): Promise<boolean>;
  /**
   * The owner of a key; using a key extends it. A key that this process saw alive remains valid
   * while the database is unreachable. @throws DatabaseError
   */
  find(listenKey: string): Promise<Address | null>;
}
