import type { Amount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { VaultToken } from './chain.ts';
import type { ChainEvent, CountedContract, HexText } from './chain-ledger.ts';

// Events of the chain that wait for operators: those that contradict the database, and deposits
// that cannot be credited or whose block the chain has abandoned.

/** An event that waits for an operator, as the admin API shows it. */
export interface WaitingEvent {
  /** A number; `deposit-` before it for a deposit that is counted and waits to be credited. */
  readonly id: string;
  readonly contract: CountedContract;
  readonly account: Address;
  /** Null for a deposit whose block the chain no longer has. */
  readonly block: number | null;
  /** Null if only the transaction is stored. */
  readonly blockHash: HexText | null;
  readonly event: ChainEvent;
  /** Why it waits. */
  readonly error: string;
}

/** Which waiting events to list; null matches any. */
export interface WaitingEventFilter {
  readonly contract: CountedContract | null;
  readonly account: Address | null;
  readonly type: ChainEvent['type'] | null;
  readonly limit: number;
  /** Only events after this id; deposits come after all others. */
  readonly after: string | null;
}

/** What the database has where the event belongs: a withdrawal or a deposit. */
export interface EventRow {
  readonly table: 'withdrawals' | 'spot_deposits';
  readonly id: string;
  readonly status: string;
  readonly tokenAddress: Address;
  readonly rawAmount: bigint;
}

/** Who decided, and why; stored with the decision. */
export interface OperatorReason {
  readonly by: string;
  readonly reason: string;
}

/** What the audit row calls an end for which nothing is booked. */
export type UnbookedEnd = 'write_off' | 'link_move';

/** How a deposit that cannot be credited ends; its number counts in the engine in any case. */
export type DepositEnd =
  | { readonly action: 'credit_as'; readonly token: string; readonly amount: Amount }
  /** Nothing is credited; the sender gets it back by a withdrawal in review. */
  | {
      readonly action: 'return';
      readonly withdrawalId: string;
      readonly token: string;
      readonly amount: Amount;
      readonly chainId: number;
      readonly contractAddress: Address;
    }
  | { readonly action: 'write_off' };

/**
 * Each method is one transaction, which includes the audit row, and throws DatabaseError if the
 * database does not respond.
 */
export interface WaitingEventStore {
  /** Oldest first, and deposits last. */
  list(filter: WaitingEventFilter): Promise<readonly WaitingEvent[]>;
  /** Null if there is no such event. */
  find(id: string): Promise<WaitingEvent | null>;
  /** The deposit or withdrawal that the event belongs to; null if none is stored. */
  findRow(event: WaitingEvent): Promise<EventRow | null>;
  /**
   * The event holds back nothing any more and nothing is booked for it; the exchange bears it.
   * False if it does not wait, or its deposit has yet to be counted by the engine.
   */
  writeOff(id: string, word: OperatorReason, as?: UnbookedEnd): Promise<boolean>;
  /**
   * The event is the payment of this withdrawal, whose status follows it. False if they do not
   * match.
   */
  link(id: string, withdrawalId: string, word: OperatorReason): Promise<boolean>;
  /** False if it is credited meanwhile, or an earlier one of its account waits too. */
  endDeposit(id: string, end: DepositEnd, word: OperatorReason): Promise<boolean>;
}

/** What the chain shows now about an event that waits. */
export interface EventEvidence {
  readonly head: number;
  /** The hash of the event's block by its number; null if there is no such block. */
  readonly blockHash: HexText | null;
  /** Whether that block still has the event. */
  readonly isIncluded: boolean;
  /** The account's next number or nonce of this kind in the contract; null for other events. */
  readonly nextNumber: number | null;
  /** The token as it describes itself; null for events without one. */
  readonly token: { readonly symbol: string; readonly decimals: number } | null;
}

/** Reads the chain for operators. */
export interface EvidenceReader {
  /** A token of the exchange by its symbol, whether or not it can be deposited now. */
  findAsset(symbol: string): VaultToken | null;
  /** The same by its contract. */
  findAssetAt(address: Address): VaultToken | null;
  /** @throws ChainError */
  loadDecimals(token: Address): Promise<number>;
  /** @throws ChainError */
  load(event: WaitingEvent): Promise<EventEvidence>;
}
