import type { Transaction } from 'kysely';
import type {
  ChainEvent,
  CountedContract,
  OverdueSlot,
} from '../../application/ports-chain-ledger.ts';
import type { Tables } from '../tables.ts';

/** The block that is being counted. */
export interface BlockMoment {
  readonly block: number;
  /** Unix seconds of the chain's clock. */
  readonly chainSeconds: number;
  /** The database's clock, for columns that say when something was noticed. */
  readonly time: Date;
}

/** What some of the events mean in the tables of one part of the exchange. */
export interface EventProgram {
  /** Whose events these are; what waits of one contract holds back nothing of another. */
  readonly contract: CountedContract;
  readonly eventTypes: readonly ChainEvent['type'][];
  /**
   * Keeps what the chain shows, whatever it means; called once for each counted event. Answers what
   * is to be applied: one log may concern several accounts, or name none. Left out: the event.
   */
  record?(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<readonly ChainEvent[]>;
  /**
   * Applies one of its events; applying it twice is the same as once. Answers why it cannot be, in
   * which case nothing of it may stay, and the event and all later ones of its account wait.
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
  /** Gives up one of them, which the chain was proven never to have used. */
  expire(transaction: Transaction<Tables>, slot: OverdueSlot, moment: BlockMoment): Promise<void>;
  /** Takes back what was applied for blocks after this one. */
  rollBack(transaction: Transaction<Tables>, block: number): Promise<void>;
}
