import type { Amount } from '../../domain/amount.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';

// Money that comes in from the chain and goes out to it.

/**
 * Credits what the vault received, cut to the engine's unit; for a tiny deposit that can be zero.
 * The vault numbers each account's deposits from 0, and the engine counts each number once and in
 * order. A number that is already counted changes nothing.
 *
 * Rejections: deposit_out_of_turn, amount_out_of_range.
 */
export interface CreditDeposit {
  readonly type: 'creditDeposit';
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
  readonly number: number;
}

/**
 * Sets an amount aside before anything is signed for it.
 *
 * Rejections: account_not_found, amount_not_positive, withdrawal_under_way, insufficient_balance.
 */
export interface ReserveWithdrawal {
  readonly type: 'reserveWithdrawal';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly amount: Amount;
}

/**
 * The chain has paid the withdrawal: the amount set aside leaves the exchange.
 *
 * Rejections: withdrawal_not_under_way.
 */
export interface CompleteWithdrawal {
  readonly type: 'completeWithdrawal';
  readonly withdrawalId: string;
}

/**
 * The withdrawal can never be paid: the amount set aside becomes available again.
 *
 * Rejections: withdrawal_not_under_way.
 */
export interface ReleaseWithdrawal {
  readonly type: 'releaseWithdrawal';
  readonly withdrawalId: string;
}

/**
 * The chain has reverted the payment of a completed withdrawal: the amount is set aside again.
 *
 * Rejections: account_not_found, amount_not_positive, withdrawal_under_way, amount_out_of_range.
 */
export interface ReopenWithdrawal {
  readonly type: 'reopenWithdrawal';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly amount: Amount;
}

/** All commands of deposits and withdrawals, by `type`. */
export type WalletCommand =
  | CreditDeposit
  | ReserveWithdrawal
  | CompleteWithdrawal
  | ReleaseWithdrawal
  | ReopenWithdrawal;
