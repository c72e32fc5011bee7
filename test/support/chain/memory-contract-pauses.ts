import type {
  ContractPause,
  ContractPauseStore,
  PausableContract,
} from '../../../src/application/ports/contract-pauses.ts';

/** Requests to pause a contract in memory, as the table has them. */
export class MemoryContractPauses implements ContractPauseStore {
  all: readonly ContractPause[] = [];

  request(contract: PausableContract): void {
    const request: ContractPause = {
      id: String(this.all.length + 1),
      contract,
      haltId: null,
      reason: 'a drill',
      requestedBy: 'operator',
      requestedAt: new Date(),
      state: 'requested',
      transaction: null,
    };
    this.all = [...this.all, request];
  }

  async listOpen(): Promise<readonly ContractPause[]> {
    return this.all.filter(({ state }) => state === 'requested' || state === 'sent');
  }

  async listLast(limit: number): Promise<readonly ContractPause[]> {
    return [...this.all].reverse().slice(0, limit);
  }

  async noteSent(contract: PausableContract, transaction: string): Promise<void> {
    await this.#change(contract, { state: 'sent', transaction });
  }

  async finish(contract: PausableContract): Promise<void> {
    await this.#change(contract, { state: 'paused' });
  }

  async #change(contract: PausableContract, change: Partial<ContractPause>): Promise<void> {
    const open = await this.listOpen();
    this.all = this.all.map((pause) =>
      pause.contract === contract && open.includes(pause) ? { ...pause, ...change } : pause,
    );
  }
}
