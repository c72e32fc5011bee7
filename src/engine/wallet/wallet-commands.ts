import type { Amount } from '../../domain/amount.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';

// Money that comes in from the chain and goes out to it.

/**
 * What the vault took, cut to the engine's unit; nothing may be left of a tiny deposit. The vault
 * numbers each account's deposits from 0 on, and the engine counts each number once and in turn.
 */
export interface CreditDeposit {
  readonly type: 'creditDeposit';
  readonly address: Address;
  readonly token: string;
  readonly amount: Amount;
  readonly number: number;
}

/** Sets an amount aside, before anything is signed for it. */
export interface ReserveWithdrawal {
  readonly type: 'reserveWithdrawal';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly amount: Amount;
}

/** The chain has paid it: what was set aside leaves the exchange. */
export interface CompleteWithdrawal {
  readonly type: 'completeWithdrawal';
  readonly withdrawalId: string;
}

/** It can never be paid: what was set aside is available again. */
export interface ReleaseWithdrawal {
  readonly type: 'releaseWithdrawal';
  readonly withdrawalId: string;
}

/** The chain took back the payment of a completed one: the amount is set aside again. */
export interface ReopenWithdrawal {
  readonly type: 'reopenWithdrawal';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly token: string;
  readonly amount: Amount;
}

export type WalletCommand =
  | CreditDeposit
  | ReserveWithdrawal
  | CompleteWithdrawal
  | ReleaseWithdrawal
  | ReopenWithdrawal;
