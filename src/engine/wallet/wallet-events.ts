import type { Amount } from '../../domain/amount.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';

/** The deposit counts, even where nothing of it was left to credit. */
export interface DepositCredited {
  readonly type: 'depositCredited';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  /** The vault's number of the account's deposit. */
  readonly number: number;
}

export type WithdrawalState = 'reserved' | 'completed' | 'released';

/** Where the money of a withdrawal is after the command. */
export interface WithdrawalUpdated {
  readonly type: 'withdrawalUpdated';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  readonly state: WithdrawalState;
}

export type WalletEvent = DepositCredited | WithdrawalUpdated;
