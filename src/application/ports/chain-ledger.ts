import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';
import type { SettlementItem, TransactionOutcome } from '../../programs/claims/settlement.ts';
import type { RaisedHalt } from './chain-halts.ts';

// What the chain side stores in the database. Each method is one transaction and throws
// DatabaseError if the database does not respond.

/** Bytes as 0x and hex digits. */
export type HexText = `0x${string}`;

/** Identifies a block. */
export interface BlockReference {
  readonly number: number;
  readonly hash: HexText;
}

interface EventPlace {
  readonly transactionHash: HexText;
  readonly logIndex: number;
  /** The contract that emitted it, if a successor has replaced that one. */
  readonly formerContract?: Address;
}

/** The reward router's total of settled rewards of an account rose. */
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

/** The vault received a deposit; raw amounts are in the token's smallest unit. */
export interface VaultDepositedEvent extends EventPlace {
  readonly type: 'vaultDeposited';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  /** Increases by one with each deposit of the account. */
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

/** A signed withdrawal exceeds the vault's limits: its nonce is spent, its payment is queued. */
export interface VaultReleaseQueuedEvent extends EventPlace {
  readonly type: 'vaultReleaseQueued';
  readonly account: Address;
  readonly token: Address;
  readonly rawAmount: bigint;
  readonly nonce: number;
  readonly queueId: number;
  /** From when anyone can have it paid, in Unix seconds of the chain's clock. */
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

/** A queued withdrawal will never be paid. The log contains no account; the ledger looks it up. */
export interface VaultQueuedEndedEvent extends EventPlace {
  readonly type: 'vaultQueuedEnded';
  readonly account: Address;
  readonly queueId: number;
}

/** All queued withdrawals of the signer are void; the account is the signer's. */
interface VaultSignerVoidedEvent extends EventPlace {
  readonly type: 'vaultSignerVoided';
  readonly account: Address;
}

/** The vault has ended and its whole queue is void; the account is the vault's. */
interface VaultRetiredEvent extends EventPlace {
  readonly type: 'vaultRetired';
  readonly account: Address;
}

/** Money that is neither a deposit nor a withdrawal; the account sent or received it. */
interface VaultMovedEvent extends EventPlace {
  readonly type: 'vaultMoved';
  readonly account: Address;
  readonly token: Address;
  /** Positive for a refill, negative for a sweep. */
  readonly rawAmount: bigint;
}

/** An event of the vault. */
export type VaultEvent =
  | VaultDepositedEvent
  | VaultReleasedEvent
  | VaultReleaseQueuedEvent
  | VaultQueuedPaidEvent
  | VaultQueuedEndedEvent
  | VaultSignerVoidedEvent
  | VaultRetiredEvent
  | VaultMovedEvent;

/** An event of the chain that concerns the exchange. */
export type ChainEvent = RewardSettledEvent | RewardRedeemedEvent | VaultEvent;

/** The contracts whose events are counted. */
export type CountedContract = 'rewardRouter' | 'spotVault';

/** Something signed whose deadline has passed, with the nonce that it was signed for. */
export interface OverdueSlot {
  readonly contract: CountedContract;
  readonly account: Address;
  readonly nonce: number;
}

/** The account's next nonce in the contract at the last counted block. */
export interface ProvenNonce {
  readonly contract: CountedContract;
  readonly account: Address;
  readonly nonce: number;
}

/** A confirmed block and all of its events that concern the exchange, in order. */
export interface CountedBlock extends BlockReference {
  /** The chain's clock, in Unix seconds. */
  readonly seconds: number;
  readonly events: readonly ChainEvent[];
}

/** An event that could not be applied; its account's later events also wait for a retry. */
export interface ParkedEvent {
  readonly block: BlockReference;
  readonly event: ChainEvent;
  readonly error: string;
}

/** The confirmed chain, folded into the database block by block. */
export interface ChainLedger {
  /** The last counted blocks without gaps, oldest first; empty before the first start. */
  loadCountedBlocks(): Promise<readonly BlockReference[]>;
  /** Starts counting after this block; `isFirst`: no contract is older than it. */
  startAfter(block: BlockReference, isFirst?: boolean): Promise<void>;
  /**
   * Applies the blocks' events and moves the cursor to the last block; all or nothing. The first
   * block must follow the cursor. Returns the events that were parked.
   */
  countBlocks(blocks: readonly CountedBlock[]): Promise<readonly ParkedEvent[]>;
  /** What is signed and past its deadline by the clock of the last counted block. */
  listOverdue(): Promise<readonly OverdueSlot[]>;
  /**
   * Expires signatures that are past their deadline and whose nonce the last counted block proves
   * unused. A deadline alone proves nothing, as an event may have been withheld. Returns the nonces
   * that the chain has used although no event with them is counted or waiting. Changes nothing if
   * another block has been counted in the meantime.
   */
  expire(block: BlockReference, proven: readonly ProvenNonce[]): Promise<readonly OverdueSlot[]>;
  /** Undoes all that was counted after a block, and halts signing if a halt is given. */
  rollBackTo(block: BlockReference, halt?: RaisedHalt): Promise<void>;
  /** Counted events that wait for their account or deposit. */
  countParkedEvents(): Promise<number>;
  /** Retries the parked events, as each count of blocks does. */
  retryParked(): Promise<void>;
}

/** The counted money of a vault in raw units, to be compared with the vault's own books. */
export interface CountedBooks {
  /** Each token's deposits, refills, payments and sweeps, including parked ones. */
  readonly tokens: readonly TokenBooks[];
  /** Accounts with any counted event. */
  readonly accounts: readonly AccountBooks[];
  /** Counting started after the contract's creation, and the older sums are not recorded yet. */
  readonly needOpening: boolean;
}

/** A sum in the token's smallest unit. */
export interface TokenBooks {
  readonly token: Address;
  readonly rawAmount: bigint;
}

/** The account's next numbers and nonces, and its redemptions, as counted so far. */
export interface AccountBooks {
  readonly account: Address;
  readonly deposits: number;
  readonly releases: number;
  readonly redemptions: number;
}

/** The router's counted sums over all accounts, in 10^-6 USDT. */
export interface CountedRouter {
  readonly settled: bigint;
  readonly claimed: bigint;
  /** Accounts whose earlier settlements are not recorded; null once the books are open. */
  readonly unopened: readonly Address[] | null;
}

/** What the router shows when its books are opened. */
export interface RouterOpening {
  /** What is settled for each of the unopened accounts. */
  readonly totals: readonly { readonly account: Address; readonly total: MicroUsdt }[];
  readonly settled: bigint;
  readonly claimed: bigint;
}

/** The counted books of one router. */
export interface RouterBooks {
  /** `mustRecount` adds up old rows again too. Null if another block is the last one by now. */
  load(block: BlockReference, mustRecount?: boolean): Promise<CountedRouter | null>;
  /** Opens the books with what the router shows at the block. */
  open(block: BlockReference, opening: RouterOpening): Promise<void>;
}

/** Counted books, to be compared with the contracts. */
export interface ChainBooks {
  readonly router: RouterBooks;
  /**
   * The books up to a block, with these accounts and those of some new rows; `mustRecount` sums old
   * rows again too. Null if another block is the last one by now.
   */
  load(
    block: BlockReference,
    accounts: readonly Address[],
    mustRecount?: boolean,
  ): Promise<CountedBooks | null>;
  /** Records what the vault held of each token beyond what is counted. */
  open(block: BlockReference, openings: readonly TokenBooks[]): Promise<void>;
}

/** One signed version of a transaction of the operator; fees in wei. */
export interface TransactionVersion {
  readonly hash: HexText;
  readonly bytes: HexText;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** A cancel is an empty transaction from the operator to itself with the same nonce. */
  readonly kind: 'call' | 'cancel';
  /** When it was first sent, in milliseconds since 1970; null before. */
  readonly sentAt: number | null;
  /** Why nodes refused it last; null if it was accepted or never sent. */
  readonly refusal: TransactionRefusal | null;
  /** How many times nodes refused it. */
  readonly refusalCount: number;
  /** A node accepted it once, so it may still be in a mempool. */
  readonly isTaken: boolean;
}

/** Why a node refuses a signed transaction. */
export type TransactionRefusal =
  | 'underpriced'
  /** The node's own limit on gas times fee. */
  | 'fee_cap'
  | 'insufficient_funds'
  | 'nonce_too_low'
  /** A lower nonce is missing; it is filled as soon as the chain shows it. */
  | 'nonce_gap'
  /** More gas than a block or the node gives to a transaction, or less than it needs. */
  | 'gas_limit'
  | 'unknown';

/** What a transaction is for. A purpose and reference have at most one transaction, ever. */
export interface TransactionPurpose {
  /** A gap spends a nonce that is unknown to this database and blocks later ones. */
  readonly purpose: 'settlement' | 'mirror' | 'gap';
  readonly reference: string;
}

/** A transaction of the operator with all of its signed versions. */
export interface OperatorTransaction extends TransactionPurpose {
  readonly sender: Address;
  readonly nonce: number;
  readonly to: Address;
  readonly data: HexText;
  readonly gasLimit: bigint;
  readonly isCancelRequested: boolean;
  /** At least one; the latest is the one to be mined. */
  readonly versions: readonly TransactionVersion[];
  /** Null until the confirmed chain has spent the nonce. */
  readonly result: TransactionResult | null;
}

/** How the confirmed chain spent a transaction's nonce. */
export interface TransactionResult {
  readonly outcome: TransactionOutcome;
  readonly hash: HexText | null;
  /** The counted block at which the nonce was found spent. */
  readonly block: number;
}

/** Signed bytes are stored here before they are sent anywhere. */
export interface TransactionStore {
  /** Null if no transaction was signed for the purpose. */
  find(purpose: TransactionPurpose): Promise<OperatorTransaction | null>;
  /** Those without a result, by nonce. */
  listOpen(sender: Address): Promise<readonly OperatorTransaction[]>;
  /** Those without a result that another key signed. */
  listOpenOfOthers(sender: Address): Promise<readonly OperatorTransaction[]>;
  /** One above the highest nonce ever saved; 0 if there is none. */
  loadNextNonce(sender: Address): Promise<number>;
  /** Maximum cost in wei of the transactions of a purpose that were first sent since then. */
  loadSpent(purpose: TransactionPurpose['purpose'], since: number): Promise<bigint>;
  /** Stores the first version before it is sent. */
  insert(transaction: OperatorTransaction): Promise<void>;
  /** Stores a replacement with the same nonce before it is sent. */
  addVersion(purpose: TransactionPurpose, version: TransactionVersion): Promise<void>;
  /** Called before it is sent; the first time is kept. */
  markSent(version: HexText, sentAt: number): Promise<void>;
  /** Records a node's reply; null if the node accepted it. */
  noteAnswer(version: HexText, refusal: TransactionRefusal | null): Promise<void>;
  /** Asks for an empty transaction in the place of the purpose's own. */
  requestCancel(purpose: TransactionPurpose): Promise<void>;
  /** Stores the result once its block is final. */
  finish(purpose: TransactionPurpose, result: TransactionResult): Promise<void>;
}

/** A batch that is planned or whose transaction is in progress. */
export interface SettlementBatch {
  readonly batchId: string;
  /** Entries that the confirmed chain does not show yet. */
  readonly items: readonly SettlementItem[];
}

/** A fact of the referral program that the on-chain register does not show yet. */
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

/** Changes wait here in order until the register shows them. */
export interface RegisterQueue {
  /** The open batch, or a new one of the oldest changes; null if none wait. */
  openBatch(changesMax: number): Promise<RegisterBatch | null>;
  /** Removes the batch's changes: the register shows them, or never will. */
  finishBatch(batchId: string): Promise<void>;
  /** Returns the batch's changes to the queue. */
  releaseBatch(batchId: string): Promise<void>;
}

/** Settlement batches and their attempts; throws DatabaseError if the database is out of reach. */
export interface SettlementStore {
  /** Puts all pending commission of accounts in no open batch into new batches. */
  planBatches(itemsPerBatchMax: number): Promise<void>;
  /** Oldest first, without the batches that have no entries left; those are closed. */
  listOpenBatches(): Promise<readonly SettlementBatch[]>;
  /** Replaces the batch by two batches of its halves. */
  splitBatch(batchId: string): Promise<void>;
  /** Closes the batch; its commission joins the next one. */
  closeBatch(batchId: string): Promise<void>;
  /** Closes the batch; its commission joins the next one, or is failed after the last attempt. */
  countAttempt(batchId: string, error: string): Promise<void>;
}
