import type {
  ContractKind,
  ContractSet,
  ContractStore,
  CountedAccount,
  DrainingContract,
  ForeignWithdrawal,
} from '../../../src/application/ports/contracts.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

/** Which contracts are counted, in memory. */
export class MemoryContractStore implements ContractStore {
  active: ContractSet | null = null;
  chainId: number | null = null;
  counted: readonly CountedAccount[] = [];
  draining: readonly DrainingContract[] = [];
  foreign: readonly ForeignWithdrawal[] = [];

  async loadActive(): Promise<ContractSet | null> {
    return this.active;
  }

  async loadChainId(): Promise<number | null> {
    return this.chainId;
  }

  async listCounted(): Promise<readonly CountedAccount[]> {
    return this.counted;
  }

  async listForeignWithdrawals(): Promise<readonly ForeignWithdrawal[]> {
    return this.foreign;
  }

  async adopt(contracts: ContractSet, chainId: number): Promise<void> {
    this.active = contracts;
    this.chainId = chainId;
  }

  async succeed(kind: ContractKind, successor: Address): Promise<void> {
    if (this.active === null) return;
    if (kind !== 'referralRebate') {
      this.draining = [...this.draining, { kind, address: this.active[kind] }];
    }
    this.active = { ...this.active, [kind]: successor };
  }

  async listDraining(): Promise<readonly DrainingContract[]> {
    return this.draining;
  }

  async retire({ address }: DrainingContract): Promise<void> {
    this.draining = this.draining.filter((each) => each.address !== address);
  }
}
