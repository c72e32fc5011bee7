import type { Address } from '../domain/identifiers.ts';
import type { MicroUsdt } from '../domain/micro-usdt.ts';
import type { SettlementItem, TransactionOutcome } from '../programs/claims/settlement.ts';

// What the chain side keeps in the database. Methods throw DatabaseError where it does not answer;
// each is one transaction.

export type HexText = `0x${string}`;

export interface BlockReference {
  readonly number: number;
  readonly hash: HexText;
}

interface EventPlace {
  readonly transactionHash: HexText;
  readonly logIndex: number;
}

/** The reward router shows a new total of settled rewards. */
export interface RewardSettledEvent extends EventPlace {
  readonly type: 'rewardSettled';
  readonly account: Address;
  readonly settledTotal: MicroUsdt;
}

/** The reward router paid a redemption. */
export interface RewardRedeemedEvent extends EventPlace {
  readonly type: 'rewardRedeemed';
  readonly account: Address;
  readonly amount: MicroUsdt;
  readonly nonce: number;
}

/** The vault took a deposit; raw amounts are in the token's smallest unit. */
export interface VaultDepositedEvent extends EventPlace {
  readonly type: 'vaultDeposited';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  /** Rising by one with each deposit of the account. */
  readonly number: number;
}

/** The vault paid a signed withdrawal. */
export interface VaultReleasedEvent extends EventPlace {
  readonly type: 'vaultReleased';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  readonly nonce: number;
}

/** A signed withdrawal goes beyond the vault's limits: its nonce is spent, its money waits. */
export interface VaultReleaseQueuedEvent extends EventPlace {
  readonly type: 'vaultReleaseQueued';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  readonly nonce: number;
  readonly queueId: number;
  /** Unix seconds of the chain's clock; anybody may have it paid from then on. */
  readonly payableAt: number;
}

/** The vault paid a queued withdrawal. */
export interface VaultQueuedPaidEvent extends EventPlace {
  readonly type: 'vaultQueuedPaid';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  readonly queueId: number;
}

/** A queued withdrawal will never be paid. The log names no account; the ledger knows it. */
export interface VaultQueuedEndedEvent extends EventPlace {
  readonly type: 'vaultQueuedEnded';
  readonly account: Address;
  readonly queueId: number;
}

/** All that the signer has in the queue is void; the account is the signer's own. */
export interface VaultSignerVoidedEvent extends EventPlace {
  readonly type: 'vaultSignerVoided';
  readonly account: Address;
}

/** The vault has ended; all of its queue is void. The account is the vault's own. */
export interface VaultRetiredEvent extends EventPlace {
  readonly type: 'vaultRetired';
  readonly account: Address;
}

/** Money that is nobody's deposit and nobody's withdrawal; the account gave or got it. */
export interface VaultMovedEvent extends EventPlace {
  readonly type: 'vaultMoved';
  readonly account: Address;
  readonly token: Address;
  /** Above zero: a refill; below: a sweep. */
  readonly rawAmount: bigint;
}

export type VaultEvent =
  | VaultDepositedEvent
  | VaultReleasedEvent
  | VaultReleaseQueuedEvent
  | VaultQueuedPaidEvent
  | VaultQueuedEndedEvent
  | VaultSignerVoidedEvent
  | VaultRetiredEvent
  | VaultMovedEvent;

export type ChainEvent = RewardSettledEvent | RewardRedeemedEvent | VaultEvent;

/** The contracts whose events are counted. */
export type CountedContract = 'rewardRouter' | 'spotVault';

/** Something signed whose deadline has passed, and the nonce that it was signed for. */
export interface OverdueSlot {
  readonly contract: CountedContract;
  readonly account: Address;
  readonly nonce: number;
}

/** The account's next nonce in the contract, as the last counted block has it. */
export interface ProvenNonce {
  readonly contract: CountedContract;
  readonly account: Address;
  readonly nonce: number;
}

/** A confirmed block and all of its events that concern the exchange, in their order. */
export interface CountedBlock extends BlockReference {
  /** The chain's clock, in Unix seconds. */
  readonly seconds: number;
  readonly events: readonly ChainEvent[];
}

/** An event that could not be applied; it waits, with its account's later ones, for another try. */
export interface ParkedEvent {
  readonly block: BlockReference;
  readonly event: ChainEvent;
  readonly error: string;
}

/** What the confirmed chain says, folded into the database block by block. */
export interface ChainLedger {
  /** The last counted blocks without gaps, oldest first; empty before the first start. */
  loadCountedBlocks(): Promise<readonly BlockReference[]>;
  /** Counts from the block after this one on; `isFirst`: no contract is older than it. */
  startAfter(block: BlockReference, isFirst?: boolean): Promise<void>;
  /**
   * Applies the blocks' events and moves the cursor to the last of them; all or nothing. The first
   * must follow the cursor. Returns what had to be parked.
   */
  countBlocks(blocks: readonly CountedBlock[]): Promise<readonly ParkedEvent[]>;
  /** What is signed and past its deadline by the clock of the last counted block. */
  listOverdue(): Promise<readonly OverdueSlot[]>;
  /**
   * Gives up what is past its deadline and whose nonce the last counted block proves unused: a
   * deadline alone proves nothing, as an event may have been withheld. Returns what the chain has
   * used although no event of it is counted or waits. Nothing happens where another block is the
   * last one by now.
   */
  expire(block: BlockReference, proven: readonly ProvenNonce[]): Promise<readonly OverdueSlot[]>;
  /**
   * Takes back everything that was counted after a block, and halts signing where a halt is given.
   */
  rollBackTo(block: BlockReference, halt?: RaisedHalt): Promise<void>;
  countParkedEvents(): Promise<number>;
  /** Tries those that wait once more, as each count of blocks does. */
  retryParked(): Promise<void>;
}

/** An event that waits for a person, as the administration shows it. */
export interface WaitingEvent {
  readonly id: string;
  readonly contract: CountedContract;
  readonly account: Address;
  readonly block: number;
  readonly event: ChainEvent;
  readonly error: string;
}

export interface WaitingEventFilter {
  readonly contract: CountedContract | null;
  readonly account: Address | null;
  readonly type: ChainEvent['type'] | null;
  readonly limit: number;
  /** Only those after this id. */
  readonly after: string | null;
}

/** Events that could not be applied, oldest first. */
export interface WaitingEventStore {
  list(filter: WaitingEventFilter): Promise<readonly WaitingEvent[]>;
  find(id: string): Promise<WaitingEvent | null>;
  /** It holds back nothing any more, with an audit row; false where it does not wait. */
  ignore(id: string, by: string, reason: string): Promise<boolean>;
}

/** What is counted of a vault's money, in raw units: what its own books have to say too. */
export interface CountedBooks {
  /** Each token with deposits, refills, payments and sweeps, those that wait for a person too. */
  readonly tokens: readonly TokenBooks[];
  /** Accounts that something happened to. */
  readonly accounts: readonly AccountBooks[];
  /** Counting did not begin with the contract, and what is older is not known yet. */
  readonly needOpening: boolean;
}

export interface TokenBooks {
  readonly token: Address;
  readonly rawAmount: bigint;
}

/** The account's next numbers and nonces, and what it redeemed, as far as it is counted. */
export interface AccountBooks {
  readonly account: Address;
  readonly deposits: number;
  readonly releases: number;
  readonly redemptions: number;
}

export interface ChainBooks {
  /**
   * What is counted up to a block, with these accounts and those of some new rows. Null where
   * another block is the last one by now.
   */
  load(block: BlockReference, accounts: readonly Address[]): Promise<CountedBooks | null>;
  /** Writes down what the vault held of each token beyond what is counted. */
  open(block: BlockReference, openings: readonly TokenBooks[]): Promise<void>;
}

export type ChainHaltKind =
  | 'deep_reorganization'
  | 'books_differ'
  | 'lost_chain'
  | 'role_changed'
  | 'signer_log_differs'
  | 'manual';

export interface RaisedHalt {
  readonly kind: ChainHaltKind;
  readonly detail: string;
}

/** Why nothing is signed until people have looked. */
export interface ChainHalt extends RaisedHalt {
  readonly id: string;
  readonly raisedAt: Date;
  readonly raisedBy: string;
}

/** Halts outlive a restart; a kind has at most one that is open. */
export interface ChainHaltStore {
  /** Oldest first. */
  listOpen(): Promise<readonly ChainHalt[]>;
  /** False where one of the kind is open already. */
  raise(halt: RaisedHalt, raisedBy: string): Promise<boolean>;
  /** False where it is not open. */
  clear(id: string, by: string, reason: string): Promise<boolean>;
}

/** One signed version of a transaction of the operator; fees in wei. */
export interface TransactionVersion {
  readonly hash: HexText;
  readonly bytes: HexText;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** A cancel is an empty transaction to the operator itself under the same nonce. */
  readonly kind: 'call' | 'cancel';
  /** When it was first tried, in milliseconds since 1970; null before. */
  readonly sentAt: number | null;
  /** Why nodes refused it the last time; null where it was taken, or never tried. */
  readonly refusal: TransactionRefusal | null;
  /** How often they have. */
  readonly refusalCount: number;
  /** A node has taken it once, so it may be in somebody's pool. */
  readonly isTaken: boolean;
}

/** Why a node does not take a signed transaction. */
export type TransactionRefusal =
  | 'underpriced'
  /** The node's own limit on gas times fee. */
  | 'fee_cap'
  | 'insufficient_funds'
  | 'nonce_too_low'
  | 'unknown';

/** What a transaction is for; a purpose and its reference have one transaction for ever. */
export interface TransactionPurpose {
  /** A gap takes a nonce that this database knows nothing of and that holds up later ones. */
  readonly purpose: 'settlement' | 'mirror' | 'gap';
  readonly reference: string;
}

export interface OperatorTransaction extends TransactionPurpose {
  readonly sender: Address;
  readonly nonce: number;
  readonly to: Address;
  readonly data: HexText;
  readonly gasLimit: bigint;
  readonly isCancelRequested: boolean;
  /** At least one; the latest is the one to be mined. */
  readonly versions: readonly TransactionVersion[];
  /** Null while the confirmed chain has not spent the nonce. */
  readonly result: TransactionResult | null;
}

export interface TransactionResult {
  readonly outcome: TransactionOutcome;
  readonly hash: HexText | null;
  /** The counted block at which the nonce was seen spent. */
  readonly block: number;
}

/** Signed bytes are here before they are anywhere else. */
export interface TransactionStore {
  find(purpose: TransactionPurpose): Promise<OperatorTransaction | null>;
  /** Those without a result, by nonce. */
  listOpen(sender: Address): Promise<readonly OperatorTransaction[]>;
  /** Those without a result that another key has signed. */
  listOpenOfOthers(sender: Address): Promise<readonly OperatorTransaction[]>;
  /** One above the highest nonce that was ever saved; 0 for none. */
  loadNextNonce(sender: Address): Promise<number>;
  /** What transactions of a purpose that were first tried since then may have cost at most. */
  loadSpent(purpose: TransactionPurpose['purpose'], since: number): Promise<bigint>;
  insert(transaction: OperatorTransaction): Promise<void>;
  addVersion(purpose: TransactionPurpose, version: TransactionVersion): Promise<void>;
  /** Before it is sent; the first time stays. */
  markSent(version: HexText, sentAt: number): Promise<void>;
  /** How a node took it; null: it did. */
  noteAnswer(version: HexText, refusal: TransactionRefusal | null): Promise<void>;
  requestCancel(purpose: TransactionPurpose): Promise<void>;
  finish(purpose: TransactionPurpose, result: TransactionResult): Promise<void>;
}

/** A batch that is planned, or whose transaction is under way. */
export interface SettlementBatch {
  readonly batchId: string;
  /** Those that the confirmed chain does not show yet. */
  readonly items: readonly SettlementItem[];
}

/** A fact of the referral program that the public register on chain does not show yet. */
export type RegisterChange =
  | { readonly kind: 'code'; readonly code: string; readonly owner: Address }
  | { readonly kind: 'binding'; readonly trader: Address; readonly code: string | null }
  | {
      readonly kind: 'terms';
      readonly account: Address;
      readonly tierLevel: number;
      /** The account's own rate, rounded down to basis points. */
      readonly rebateBps: number;
    };

/** Changes that go into one transaction, oldest first. */
export interface RegisterBatch {
  readonly batchId: string;
  readonly changes: readonly RegisterChange[];
}

/** Changes wait here, in their order, until the register shows them. */
export interface RegisterQueue {
  /** The batch that is open, else a new one of the oldest changes; null where none wait. */
  openBatch(changesMax: number): Promise<RegisterBatch | null>;
  /** The register shows the batch's changes, or never will: they leave the queue. */
  finishBatch(batchId: string): Promise<void>;
  /** The batch's changes wait for the next batch. */
  releaseBatch(batchId: string): Promise<void>;
}

export interface SettlementStore {
  /** Puts all waiting commission of accounts that stand in no open batch into batches. */
  planBatches(itemsPerBatchMax: number): Promise<void>;
  /** Oldest first; a batch without items left is closed and not among them. */
  listOpenBatches(): Promise<readonly SettlementBatch[]>;
  /** Two batches of its halves in its place. */
  splitBatch(batchId: string): Promise<void>;
  /** Closes the batch; its commission goes into the next one. */
  closeBatch(batchId: string): Promise<void>;
  /** Closes the batch; its commission waits for the next one, or failed with the last attempt. */
  countAttempt(batchId: string, error: string): Promise<void>;
}
