import type { Address } from '../domain/identifiers.ts';

/** The contracts that the exchange works with. */
export interface ContractAddresses {
  readonly rewardRouter: Address;
  readonly referralRebate: Address;
  readonly spotVault: Address;
}

/** The same with the test tokens of a development chain. */
export interface DeployedAddresses extends ContractAddresses {
  readonly usdt: Address;
  readonly df: Address;
}

/** A token that the vault takes; the exchange knows it by its symbol. */
export interface ChainToken {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly areDepositsOn: boolean;
  readonly areWithdrawalsOn: boolean;
}
