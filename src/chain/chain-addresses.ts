import type { Address } from '../domain/identifiers.ts';

/** The contracts that the exchange uses. */
export interface ContractAddresses {
  readonly rewardRouter: Address;
  readonly referralRebate: Address;
  readonly spotVault: Address;
}

/** The same, including the test tokens of a development chain. */
export interface DeployedAddresses extends ContractAddresses {
  readonly usdt: Address;
  readonly df: Address;
}

/** A token that the vault accepts, identified on the exchange by its symbol. */
export interface ChainToken {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly areDepositsOn: boolean;
  readonly areWithdrawalsOn: boolean;
  /** The terms of its withdrawals are read at the next start: until then only deposits go back. */
  readonly isAddedLater?: true;
}
