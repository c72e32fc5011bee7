import type { Amount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { SlotRejection, WithdrawalStatus } from '../../programs/claims/withdrawal.ts';
import type { CursorPage } from '../ports.ts';

// What the wallet keeps in the database. Methods throw DatabaseError where it does not answer;
// each is one transaction.

/** A withdrawal before its amount is set aside. */
export interface WithdrawalDraft {
  readonly id: string;
  readonly account: Address;
  readonly token: string;
  readonly tokenAddress: Address;
  readonly amount: Amount;
  /** In the token's smallest unit on chain. */
  readonly rawAmount: bigint;
  readonly chainId: number;
  readonly contractAddress: Address;
  readonly nonce: number;
  /** Unix seconds of the chain's clock. */
  readonly deadline: number;
}

/** Where the engine has a withdrawal's money; null where it never had it. */
export type WithdrawalFunds = 'reserved' | 'completed' | 'released' | null;

/** A withdrawal whose status the engine may not have followed yet. */
export interface UnsettledWithdrawal {
  readonly id: string;
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
  /** Takes the nonce's slot, unless the account has a withdrawal that forbids it. */
  openWithdrawal(draft: WithdrawalDraft): Promise<SlotRejection | null>;
  /** Keeps the signature; false where the withdrawal was abandoned meanwhile. */
  saveSignature(id: string, signature: `0x${string}`): Promise<boolean>;
  /** From then on no signature can be saved for it. */
  abandonWithdrawal(id: string): Promise<void>;
  /** Those without a signature, of which most are being made just now. */
  listReservedWithdrawals(): Promise<readonly string[]>;
  listUnsettledWithdrawals(): Promise<readonly UnsettledWithdrawal[]>;
  /** The engine has followed the status; nothing happens where it is another one by now. */
  markSettled(id: string, status: WithdrawalStatus): Promise<void>;
  /** Ordered by account and number. */
  listWaitingDeposits(): Promise<readonly WaitingDeposit[]>;
  /**
   * Before the engine is told: whatever the chain does from now on, the deposit stays. False where
   * the chain has taken it back already.
   */
  handOverDeposit(deposit: WaitingDeposit, credit: DepositCredit): Promise<boolean>;
  markCredited(deposit: WaitingDeposit): Promise<void>;
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
  listTransfers(filter: WalletPageFilter): Promise<CursorPage<TransferView>>;
}

/** Shown states: an unsigned one is not shown, and one counts as expired once it is given back. */
export type ShownWithdrawalStatus = 'signed' | 'completed' | 'expired';

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

export interface WithdrawalView extends SignedWithdrawalView {
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
