import type { Amount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { CursorPage } from '../ports.ts';
import type { MadeSignature } from '../ports-chain.ts';

// What the wallet keeps in the database. Methods throw DatabaseError where it does not answer;
// each is one transaction.

export type WalletKind = 'spot' | 'perp';

/** A withdrawal before anything is known of nonces. */
export interface WithdrawalTerms {
  readonly id: string;
  readonly account: Address;
  readonly token: string;
  readonly tokenAddress: Address;
  readonly amount: Amount;
  /** In the token's smallest unit on chain. */
  readonly rawAmount: bigint;
  readonly chainId: number;
  readonly contractAddress: Address;
}

/** What its signature is bound to, besides. */
export interface WithdrawalSlot {
  readonly nonce: number;
  /** Unix seconds of the chain's clock. */
  readonly deadline: number;
}

/** A withdrawal before its signature. */
export interface WithdrawalDraft extends WithdrawalTerms, WithdrawalSlot {}

/** Where the engine has a withdrawal's money; null where it never had it. */
export type WithdrawalFunds = 'reserved' | 'completed' | 'released' | null;

/** A withdrawal whose status the engine may not have followed yet. */
export interface UnsettledWithdrawal {
  readonly id: string;
  readonly wallet: WalletKind;
  readonly account: Address;
  readonly token: string;
  readonly amount: Amount;
  readonly status: WithdrawalStatus;
  readonly funds: WithdrawalFunds;
}

/** A deposit on the confirmed chain that is not known to be credited. */
export interface WaitingDeposit {
  readonly account: Address;
  readonly number: number;
  readonly tokenAddress: Address;
  readonly rawAmount: bigint;
}

export interface DepositCredit {
  readonly token: string;
  readonly amount: Amount;
}

export interface WalletStore {
  /** Takes the nonce's slot, unless the account has a withdrawal that forbids it, or all pause. */
  openWithdrawal(draft: WithdrawalDraft): Promise<SlotRejection | 'paused' | null>;
  /** Keeps the signature over this slot; false where it was given up meanwhile. */
  saveSignature(
    draft: Pick<WithdrawalDraft, 'id' | 'nonce' | 'deadline'>,
    signature: MadeSignature,
  ): Promise<boolean>;
  /**
   * Gives up making it: from then on no signature can be saved for its slot. One that waited for
   * its owner's word waits for it again.
   */
  giveUpWithdrawal(id: string): Promise<void>;
  /** Whether a deposit waits, or a withdrawal that is not settled. */
  hasUnsettled(): Promise<boolean>;
  /** Those that are being made, most of them at this very moment. */
  listUnmadeWithdrawals(): Promise<readonly string[]>;
  listUnsettledWithdrawals(): Promise<readonly UnsettledWithdrawal[]>;
  /** The engine has followed the status; nothing happens where it is another one by now. */
  markSettled(id: string, status: WithdrawalStatus): Promise<void>;
  /**
   * Each account's in their order, some of each account; those that were stuck come last, the
   * longest first.
   */
  listWaitingDeposits(): Promise<readonly WaitingDeposit[]>;
  /**
   * Before the engine is told: whatever the chain does from now on, the deposit stays. False where
   * the chain has taken it back already.
   */
  handOverDeposit(deposit: WaitingDeposit, credit: DepositCredit): Promise<boolean>;
  /** The next deposit of each of them cannot be credited now, nor what comes after it. */
  markStuck(accounts: readonly Address[]): Promise<void>;
  markCredited(deposit: WaitingDeposit): Promise<void>;
}

/** What only withdrawals of the perp wallet need: they wait for their owner's word. */
export interface PerpWithdrawalStore {
  /** False while withdrawals are paused. */
  openPending(terms: WithdrawalTerms): Promise<boolean>;
  /** The amount is set aside. */
  markPending(id: string): Promise<void>;
  /** Null where the address has no such withdrawal. */
  findTerms(address: Address, id: string): Promise<PendingWithdrawal | null>;
  /** Takes the slot for one that waits; `not_pending` where it no longer does. */
  takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_pending' | null>;
  /** False where it does not wait. */
  cancelPending(id: string): Promise<boolean>;
  isPaused(): Promise<boolean>;
  setPaused(isPaused: boolean): Promise<void>;
}

export interface PendingWithdrawal extends WithdrawalTerms {
  readonly status: WithdrawalStatus;
}

export interface WalletPageFilter {
  readonly address: Address;
  readonly limit: number;
  readonly cursor: string | null;
}

/** The wallet's history, newest first. */
export interface WalletHistory {
  listWithdrawals(filter: WalletPageFilter): Promise<CursorPage<WithdrawalView>>;
  /** Null where the address has no such withdrawal. */
  findWithdrawal(address: Address, id: string): Promise<WithdrawalView | null>;
  listDeposits(filter: WalletPageFilter): Promise<CursorPage<DepositView>>;
  /** Of the perp wallet. */
  listPerpWithdrawals(filter: WalletPageFilter): Promise<CursorPage<PerpWithdrawalView>>;
  findPerpWithdrawal(address: Address, id: string): Promise<PerpWithdrawalView | null>;
  /** One that the database is known to hold. */
  loadTransfer(transferId: string): Promise<TransferView>;
  listTransfers(filter: WalletPageFilter): Promise<CursorPage<TransferView>>;
}

/**
 * Shown states: an unsigned one is not shown, and one counts as expired or returned once its amount
 * is given back.
 */
export type ShownWithdrawalStatus =
  | 'signed'
  | 'queued'
  | 'completed'
  | 'returned'
  | 'expired'
  /** Two people look at it; after them it is approved until its owner has it signed. */
  | 'review'
  | 'approved';

/** What a caller needs to submit the release. */
export interface SignedWithdrawalView {
  readonly id: string;
  readonly token: string;
  readonly amount: string;
  readonly raw_amount: string;
  readonly nonce: number;
  readonly deadline: number;
  readonly signature: string;
  readonly contract_address: string;
  readonly chain_id: number;
  readonly status: ShownWithdrawalStatus;
}

/** The same of one that two people look at before it is signed. */
export type ReviewedWithdrawalView = Omit<
  SignedWithdrawalView,
  'nonce' | 'deadline' | 'signature'
> & { readonly nonce: null; readonly deadline: null; readonly signature: null };

/** What is null is not known before it is signed. */
export interface WithdrawalView
  extends Omit<SignedWithdrawalView, 'nonce' | 'deadline' | 'signature'> {
  readonly nonce: number | null;
  readonly deadline: number | null;
  readonly signature: string | null;
  /** Of a queued one alone: from which Unix second on anybody may have the vault pay it. */
  readonly payable_at?: number;
  readonly tx_hash: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** What is null is not known before it is confirmed. */
export interface PerpWithdrawalView {
  readonly payable_at?: number;
  readonly id: string;
  readonly token: string;
  readonly amount: string;
  readonly raw_amount: string;
  readonly nonce: number | null;
  readonly deadline: number | null;
  readonly signature: string | null;
  readonly contract_address: string;
  readonly chain_id: number;
  readonly status: 'pending' | 'canceled' | ShownWithdrawalStatus;
  readonly tx_hash: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A transfer between the spot and the perp wallet. */
export interface TransferView {
  readonly transfer_id: string;
  readonly direction: 'spot_to_perp' | 'perp_to_spot';
  readonly token: string;
  readonly amount: string;
  readonly client_transfer_id: string | null;
  readonly created_at: string;
}

export interface DepositView {
  readonly number: number;
  /** Null while it is not known what the token is. */
  readonly token: string | null;
  readonly token_address: string;
  readonly amount: string | null;
  readonly raw_amount: string;
  readonly tx_hash: string;
  readonly status: 'pending' | 'credited';
  readonly created_at: string;
  readonly credited_at: string | null;
}
