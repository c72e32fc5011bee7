import type { Address, Sequence } from '../../domain/identifiers.ts';

/**
 * Balances as they change in the database, driven by its notifications. A change can be skipped if
 * a later one of the same balance follows. The last one always arrives, even after a lost
 * connection, and the sequences of one balance only increase.
 */
export interface BalanceFeed {
  /**
   * Calls the listener with the address's changes from now on; returns the unsubscribe function.
   */
  subscribe(address: Address, listener: (changes: readonly BalanceChange[]) => void): () => void;
}

/** A balance as stored in the database; amounts are decimal texts. */
export interface BalanceChange {
  /** The wallet. In the perp wallet, `locked` is what is set aside for withdrawals. */
  readonly market: 'spot' | 'futures';
  readonly address: Address;
  readonly token: string;
  readonly available: string;
  readonly locked: string;
  /** The command that led to this balance. */
  readonly sequence: Sequence;
}
