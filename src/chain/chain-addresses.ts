import type { Address } from '../domain/identifiers.ts';

/** The contracts of one deployment. */
export interface ContractAddresses {
  readonly rewardRouter: Address;
  readonly referralRebate: Address;
  readonly spotVault: Address;
  readonly usdt: Address;
  readonly df: Address;
}
