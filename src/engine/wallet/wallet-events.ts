import type { Amount } from '../../domain/amount.ts';
import type { AccountId, TokenId } from '../../domain/identifiers.ts';

/** The deposit was counted, even if its amount is zero in the engine's unit. */
interface DepositCredited {
  readonly type: 'depositCredited';
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  /** The vault's number of the account's deposit. */
  readonly number: number;
}

/** Whether the amount is set aside, paid out, or available again. */
export type WithdrawalState = 'reserved' | 'completed' | 'released';

/** The state of a withdrawal after the command. */
interface WithdrawalUpdated {
  readonly type: 'withdrawalUpdated';
  readonly withdrawalId: string;
  readonly accountId: AccountId;
  readonly tokenId: TokenId;
  readonly amount: Amount;
  readonly state: WithdrawalState;
}

/** All events of deposits and withdrawals, by `type`. */
export type WalletEvent = DepositCredited | WithdrawalUpdated;
