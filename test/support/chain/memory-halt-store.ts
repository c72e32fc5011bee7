import type {
  ChainHalt,
  ChainHaltStore,
  RaisedHalt,
} from '../../../src/application/ports/chain-halts.ts';

/** Halts in memory, as the table has them. */
export class MemoryHaltStore implements ChainHaltStore {
  open: readonly ChainHalt[] = [];
  #raised = 0;

  async listOpen(): Promise<readonly ChainHalt[]> {
    return this.open;
  }

  async raise(halt: RaisedHalt, raisedBy: string): Promise<boolean> {
    const role = halt.role ?? null;
    if (this.open.some((each) => each.kind === halt.kind && (each.role ?? null) === role)) {
      return false;
    }
    this.#raised += 1;
    const id = String(this.#raised);
    this.open = [...this.open, { ...halt, raisedBy, id, raisedAt: new Date() }];
    return true;
  }

  async clear(id: string): Promise<boolean> {
    const isOpen = this.open.some((halt) => halt.id === id);
    this.open = this.open.filter((halt) => halt.id !== id);
    return isOpen;
  }
}
