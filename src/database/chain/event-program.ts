import type { Transaction } from 'kysely';
import type {
  ChainEvent,
  CountedContract,
  OverdueSlot,
} from '../../application/ports/chain-ledger.ts';
import type { Tables } from '../tables.ts';

/** The block that is being counted. */
export interface BlockMoment {
  readonly block: number;
  /** Unix seconds on the chain's clock. */
  readonly chainSeconds: number;
  /** The database's clock, for columns that record when something was noticed. */
  readonly time: Date;
}

/** Applies some of the events to the tables of one part of the exchange. */
export interface EventProgram {
  /** The contract of these events; waiting events of one contract do not block those of another. */
  readonly contract: CountedContract;
  readonly eventTypes: readonly ChainEvent['type'][];
  /**
   * Records what the chain shows, whatever it means; called once for each counted event. Returns
   * the events to apply: one log can concern several accounts, or name none. By default the event
   * itself.
   */
  record?(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<readonly ChainEvent[]>;
  /**
   * Applies one of its events; applying it twice has the same result as once. Returns why it cannot
   * be applied: then nothing of it may remain, and the event and all later ones of its account
   * wait.
   */
  apply(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<string | null>;
  /** What is signed and past its deadline at a time of the chain's clock. */
  listOverdue(
    transaction: Transaction<Tables>,
    chainSeconds: number,
  ): Promise<readonly OverdueSlot[]>;
  /** Expires one of them, which the chain has provably never used. */
  expire(transaction: Transaction<Tables>, slot: OverdueSlot, moment: BlockMoment): Promise<void>;
  /** Undoes what was applied for blocks after this one. */
  rollBack(transaction: Transaction<Tables>, block: number): Promise<void>;
}
