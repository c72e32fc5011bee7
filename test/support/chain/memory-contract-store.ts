import type {
  ContractKind,
  ContractSet,
  ContractStore,
  CountedAccount,
  ForeignWithdrawal,
} from '../../../src/application/ports-contracts.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

/** Which contracts are counted, in memory. */
export class MemoryContractStore implements ContractStore {
  active: ContractSet | null = null;
  counted: readonly CountedAccount[] = [];
  isQueueWaiting = false;
  foreign: readonly ForeignWithdrawal[] = [];

  async loadActive(): Promise<ContractSet | null> {
    return this.active;
  }

  async listCounted(): Promise<readonly CountedAccount[]> {
    return this.counted;
  }

  async listForeignWithdrawals(): Promise<readonly ForeignWithdrawal[]> {
    return this.foreign;
  }

  async hasQueued(): Promise<boolean> {
    return this.isQueueWaiting;
  }

  async adopt(contracts: ContractSet): Promise<void> {
    this.active = contracts;
  }

  async succeed(kind: ContractKind, successor: Address): Promise<void> {
    if (this.active !== null) this.active = { ...this.active, [kind]: successor };
  }
}
