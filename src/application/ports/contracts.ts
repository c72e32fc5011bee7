import type { Address } from '../../domain/identifiers.ts';
import type { MicroUsdt } from '../../domain/micro-usdt.ts';

// The contracts that the database counts. The totals, nonces and numbers of one contract have no
// meaning in another, unless that one is its successor.

/** A contract of the exchange, by its role. */
export type ContractKind = 'rewardRouter' | 'referralRebate' | 'spotVault';

/** The address of each contract. */
export type ContractSet = Readonly<Record<ContractKind, Address>>;

/** A contract that was replaced, but whose last events may not be counted yet. */
export interface DrainingContract {
  readonly kind: 'rewardRouter' | 'spotVault';
  readonly address: Address;
}

/** What the database stores about an account, to be compared with the contracts. */
export interface CountedAccount {
  readonly account: Address;
  readonly deposits: number;
  readonly releases: number;
  readonly redemptions: number;
  /**
   * Commission: the total that the router was seen to owe, and the part that it was seen to pay.
   */
  readonly settled: MicroUsdt;
  readonly claimed: MicroUsdt;
}

/** A withdrawal that a contract other than the configured one can still pay. */
export interface ForeignWithdrawal {
  readonly id: string;
  readonly contractAddress: Address;
}

/** The contracts that are counted, and what is compared with them. */
export interface ContractStore {
  /** The contracts that are counted; null before the first connection. */
  loadActive(): Promise<ContractSet | null>;
  /** The chain of these contracts; null before the first connection. */
  loadChainId(): Promise<number | null>;
  /** Accounts with anything counted, each once. */
  listCounted(): Promise<readonly CountedAccount[]>;
  /** Open withdrawals of a vault other than this one. */
  listForeignWithdrawals(vault: Address): Promise<readonly ForeignWithdrawal[]>;
  /** From now on counts these contracts; all that is counted so far belongs to them. */
  adopt(contracts: ContractSet, chainId: number): Promise<void>;
  /**
   * The successor continues the numbers of the active contract of its kind. A router or a vault is
   * counted further until `retire`.
   */
  succeed(kind: ContractKind, successor: Address, chainId: number): Promise<void>;
  /** The replaced contracts whose events are still counted. */
  listDraining(): Promise<readonly DrainingContract[]>;
  /** Every event that a draining contract can ever emit for accounts is counted. */
  retire(contract: DrainingContract): Promise<void>;
}
