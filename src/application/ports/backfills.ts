import type {
  VaultDepositedEvent,
  VaultReleasedEvent,
  VaultReleaseQueuedEvent,
} from './chain-ledger.ts';

// Blocks before those that the database counted, in which the vault may have deposits.

/** The blocks that are still to be read. */
export interface Backfill {
  readonly next: number;
  /** The last of them. */
  readonly through: number;
}

/** A deposit and its block. */
export interface EarlierDeposit {
  readonly event: VaultDepositedEvent;
  readonly block: number;
}

/** Money that left the vault for an account, or waits in its queue. */
export type EarlierRelease = VaultReleasedEvent | VaultReleaseQueuedEvent;

/** How far a database has read what it did not count; every method throws DatabaseError. */
export interface BackfillStore {
  /**
   * The last block that the database may not have counted for the active vault; null if it has read
   * them all, or counts nothing yet. `from`: the first block that the manifest names; null without
   * one.
   */
  findThrough(from: number | null): Promise<number | null>;
  /**
   * What remains of the blocks from this one on. If all from a later block on are read, it is those
   * before that block.
   */
  begin(from: number, through: number): Promise<Backfill | null>;
  /** Whether the database has another deposit of the account under the number of this one. */
  contradicts(deposit: VaultDepositedEvent): Promise<boolean>;
  /** Whether the database has the withdrawal that the vault paid, or keeps its event waiting. */
  hasRelease(release: EarlierRelease): Promise<boolean>;
  /** Adds the deposits that are not counted; all blocks below `next` are read. */
  add(deposits: readonly EarlierDeposit[], next: number): Promise<void>;
}
