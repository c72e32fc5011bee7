import type { Address } from '../domain/identifiers.ts';
import type { MicroUsdt } from '../domain/micro-usdt.ts';

// Which contracts the database counts. Totals, nonces and numbers of one contract mean nothing in
// another, unless that one goes on with them.

export type ContractKind = 'rewardRouter' | 'referralRebate' | 'spotVault';

export type ContractSet = Readonly<Record<ContractKind, Address>>;

/** What the database holds of an account, to be compared with the contracts. */
export interface CountedAccount {
  readonly account: Address;
  readonly deposits: number;
  readonly releases: number;
  readonly redemptions: number;
  /** Of commission: what the router was seen to owe in all, and what it was seen to pay. */
  readonly settled: MicroUsdt;
  readonly claimed: MicroUsdt;
}

/** A withdrawal that can still be paid, by a contract that is not the one of the settings. */
export interface ForeignWithdrawal {
  readonly id: string;
  readonly contractAddress: Address;
}

export interface ContractStore {
  /** The contracts that are counted; null before the first connection. */
  loadActive(): Promise<ContractSet | null>;
  /** Accounts with anything counted, each once. */
  listCounted(): Promise<readonly CountedAccount[]>;
  /** Withdrawals that are open with another vault than this one. */
  listForeignWithdrawals(vault: Address): Promise<readonly ForeignWithdrawal[]>;
  /** Whether withdrawals wait in the queue of the vault that is counted. */
  hasQueued(): Promise<boolean>;
  /** From now on these are counted, and all that was counted is theirs. */
  adopt(contracts: ContractSet, chainId: number): Promise<void>;
  /** The successor goes on where the active contract of its kind ended. */
  succeed(kind: ContractKind, successor: Address, chainId: number): Promise<void>;
}
