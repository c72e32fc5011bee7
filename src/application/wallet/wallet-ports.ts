import type { Amount } from '../../domain/amount.ts';
import type { Address, Sequence } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { IssuedSignature } from '../ports/chain.ts';
import type { PausableContract } from '../ports/contract-pauses.ts';
import type { CursorPage } from '../ports/database.ts';

// Wallet data in the database. Each method is one transaction and throws DatabaseError if the
// database does not respond.

/** The wallet that a withdrawal is taken from. */
export type WalletKind = 'spot' | 'perp';

/** A withdrawal before its nonce is known. */
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

/** What its signature is also bound to. */
interface WithdrawalSlot {
  readonly nonce: number;
  /** Unix seconds on the chain's clock. */
  readonly deadline: number;
}

/** A withdrawal before its signature. */
export interface WithdrawalDraft extends WithdrawalTerms, WithdrawalSlot {}

/** Where the engine has a withdrawal's money; null if it never had it. */
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
  /** The command that moved them there. */
  readonly fundsSequence: Sequence | null;
  /** It sends back a deposit that was never credited: the engine has nothing of it. */
  readonly isReturn: boolean;
}

/** A deposit on the confirmed chain that may not be credited yet. */
export interface WaitingDeposit {
  readonly account: Address;
  readonly number: number;
  readonly tokenAddress: Address;
  readonly rawAmount: bigint;
  /** The status that the engine may already have; null before the first. */
  readonly known: DepositCredit | null;
  /** What people decided if it could not be credited; null if nobody had to. */
  readonly resolution: 'credit_as' | 'return' | 'write_off' | null;
}

/** Why a deposit cannot be credited. */
export type StuckReason = 'unknown_token' | 'refused';

/**
 * What the engine adds to the balance for a deposit: whole units of its own, 10^-8 of the token.
 */
export interface DepositCredit {
  readonly token: string;
  readonly amount: Amount;
  /**
   * What the engine's unit is too coarse for, in the token's smallest unit: it stays with the
   * exchange and is never credited.
   */
  readonly dust: bigint;
}

/** What both kinds of withdrawals and deposits have in common. */
export interface WalletStore {
  /** Takes the nonce's slot, unless another withdrawal of the account or a pause prevents it. */
  openWithdrawal(draft: WithdrawalDraft): Promise<SlotRejection | 'paused' | null>;
  /** Stores the signature over this slot; false if the withdrawal was given up meanwhile. */
  saveSignature(
    draft: Pick<WithdrawalDraft, 'id' | 'nonce' | 'deadline'>,
    signature: IssuedSignature,
  ): Promise<boolean>;
  /**
   * Abandons it: after this, no signature can be stored for its slot. A withdrawal that its owner
   * was confirming waits for confirmation again.
   */
  giveUpWithdrawal(id: string): Promise<void>;
  /** Whether a deposit waits or a withdrawal is not settled. */
  hasUnsettled(): Promise<boolean>;
  /** Withdrawals that are being made, most of them at this very moment. */
  listUnfinishedWithdrawals(): Promise<readonly string[]>;
  /** Some of them, oldest first; those that are still being made are left out. */
  listUnsettledWithdrawals(): Promise<readonly UnsettledWithdrawal[]>;
  /**
   * Begins the step that takes the withdrawal from where its funds are now; null if they, or the
   * status, have changed. The answer, milliseconds since 1970, names the step: all who take it get
   * the same, until one of them asks for a name that is not before a later time.
   */
  beginStep(
    step: Pick<UnsettledWithdrawal, 'id' | 'status' | 'fundsSequence'>,
    notBeforeMs: number,
  ): Promise<number | null>;
  /**
   * Records that the engine has followed the status; does nothing if the status has changed, or if
   * the engine's events show the money elsewhere. One whose money moves later is unsettled again.
   */
  markSettled(id: string, status: WithdrawalStatus): Promise<void>;
  /** Some of each account's deposits, in order; stuck ones come last, the longest stuck first. */
  listWaitingDeposits(): Promise<readonly WaitingDeposit[]>;
  /**
   * Called before the engine is: from now on the deposit stays, whatever the chain does. Returns
   * when; null if the chain has already taken it back, or people have decided about it.
   */
  handOverDeposit(deposit: WaitingDeposit, credit: DepositCredit): Promise<Date | null>;
  /** Undoes the hand-over of that moment: the engine has refused the deposit. */
  takeBackDeposit(deposit: WaitingDeposit, handedOverAt: Date): Promise<void>;
  /** The accounts' next deposits, and so those after them, cannot be credited now. */
  markStuck(accounts: readonly Address[], reason: StuckReason): Promise<void>;
  /** The engine has credited it; the deposit is done. */
  markCredited(deposit: WaitingDeposit): Promise<void>;
}

/** Whether a withdrawal has a row now; if not, why. */
export type OpenedWithdrawal = 'opened' | 'paused' | 'too_many';

/** What only perp withdrawals need, as they wait for their owner's confirmation. */
export interface PerpWithdrawalStore {
  /** Called before the amount is set aside. */
  openPending(terms: WithdrawalTerms): Promise<OpenedWithdrawal>;
  /** The amount is set aside; false if the withdrawal was given up meanwhile. */
  markPending(id: string): Promise<boolean>;
  /** Null if the address has no such withdrawal. */
  findTerms(address: Address, id: string): Promise<PendingWithdrawal | null>;
  /** Takes the slot for a pending withdrawal; `not_pending` if it no longer is. */
  takeSlot(draft: WithdrawalDraft): Promise<SlotRejection | 'not_pending' | null>;
  /** False if it is not pending. */
  cancelPending(id: string): Promise<boolean>;
  /** Whether all withdrawals are paused. */
  isPaused(): Promise<boolean>;
  /** The audit row has the reason and the contracts that are to be paused too. */
  setPaused(change: PauseSwitchChange): Promise<void>;
}

/** A change of the switch for all withdrawals; the reason is null if none was given. */
export interface PauseSwitchChange {
  readonly isPaused: boolean;
  readonly reason: string | null;
  readonly contracts: readonly PausableContract[];
}

/** A perp withdrawal and its status now. */
export interface PendingWithdrawal extends WithdrawalTerms {
  readonly status: WithdrawalStatus;
}

/** The account and page to list; the cursor is from the page before, null for the newest. */
export interface WalletPageFilter {
  readonly address: Address;
  readonly limit: number;
  readonly cursor: string | null;
}

/** The wallet's history, newest first. */
export interface WalletHistory {
  /** Of the spot wallet. */
  listWithdrawals(filter: WalletPageFilter): Promise<CursorPage<WithdrawalView>>;
  /** Null if the address has no such withdrawal. */
  findWithdrawal(address: Address, id: string): Promise<WithdrawalView | null>;
  /** Deposits from the chain, whether credited yet or not. */
  listDeposits(filter: WalletPageFilter): Promise<CursorPage<DepositView>>;
  /** Of the perp wallet. */
  listPerpWithdrawals(filter: WalletPageFilter): Promise<CursorPage<PerpWithdrawalView>>;
  /** Null if the address has no such withdrawal. */
  findPerpWithdrawal(address: Address, id: string): Promise<PerpWithdrawalView | null>;
  /** A transfer that is known to be in the database. */
  loadTransfer(transferId: string): Promise<TransferView>;
  /** Between the two wallets. */
  listTransfers(filter: WalletPageFilter): Promise<CursorPage<TransferView>>;
}

/**
 * The states that users see: an unsigned withdrawal is not shown, and one counts as expired or
 * returned once its amount is returned.
 */
export type ShownWithdrawalStatus =
  | 'signed'
  | 'queued'
  | 'completed'
  | 'returned'
  | 'expired'
  /** Two people review it; then it is approved until its owner has it signed. */
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
  /**
   * From when anyone can have the vault pay it, in Unix seconds: for a queued withdrawal, and for
   * one that was just signed and exceeds what the vault pays immediately.
   */
  readonly payable_at?: number;
}

/** The same for a withdrawal in review. */
export type ReviewedWithdrawalView = Omit<
  SignedWithdrawalView,
  'nonce' | 'deadline' | 'signature'
> & { readonly nonce: null; readonly deadline: null; readonly signature: null };

/** Null fields are unknown until it is signed. */
export interface WithdrawalView
  extends Omit<SignedWithdrawalView, 'nonce' | 'deadline' | 'signature'> {
  readonly nonce: number | null;
  readonly deadline: number | null;
  readonly signature: string | null;
  readonly tx_hash: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** Null fields are unknown until it is confirmed. */
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

/**
 * A deposit as users see it; amounts are decimal text, `raw_amount` in the token’s smallest unit.
 */
export interface DepositView {
  readonly number: number;
  /** Null while the token is unknown. */
  readonly token: string | null;
  readonly token_address: string;
  readonly amount: string | null;
  readonly raw_amount: string;
  readonly tx_hash: string;
  readonly status: 'pending' | 'credited';
  readonly created_at: string;
  readonly credited_at: string | null;
}
