import type { RaisedHalt } from '../../../src/application/ports/chain-halts.ts';
import type {
  BlockReference,
  ChainBooks,
  ChainEvent,
  ChainLedger,
  CountedBlock,
  OverdueSlot,
  ParkedEvent,
  ProvenNonce,
} from '../../../src/application/ports/chain-ledger.ts';
import { MemoryHaltStore } from './memory-halt-store.ts';

/** Remembers what was counted; its events say what a database would have applied. */
export class MemoryChainLedger implements ChainLedger {
  blocks: (BlockReference & { readonly events: readonly ChainEvent[] })[] = [];
  readonly rollBacks: BlockReference[] = [];
  readonly halts = new MemoryHaltStore();
  /** Nothing to compare: what is counted here is not money. */
  readonly books: ChainBooks = {
    load: async () => null,
    open: async () => undefined,
    router: { load: async () => null, open: async () => undefined },
  };
  /** What is signed and past its deadline, as a test says. */
  overdue: readonly OverdueSlot[] = [];
  readonly expired: OverdueSlot[] = [];
  /** Called before blocks are counted; throwing is what a database in trouble does. */
  onCount: () => void = () => undefined;

  get events(): readonly ChainEvent[] {
    return this.blocks.flatMap(({ events }) => events);
  }

  async loadCountedBlocks(): Promise<readonly BlockReference[]> {
    return this.blocks.map(({ number, hash }) => ({ number, hash }));
  }

  async startAfter(block: BlockReference): Promise<void> {
    if (this.blocks.length > 0) throw new Error('counting has already begun');
    this.blocks.push({ ...block, events: [] });
  }

  async countBlocks(blocks: readonly CountedBlock[]): Promise<readonly ParkedEvent[]> {
    this.onCount();
    for (const block of blocks) {
      if (block.number !== (this.blocks.at(-1)?.number ?? -2) + 1) throw new Error('a gap');
      this.blocks.push(block);
    }
    return [];
  }

  async listOverdue(): Promise<readonly OverdueSlot[]> {
    return this.overdue;
  }

  async expire(_: BlockReference, proven: readonly ProvenNonce[]): Promise<readonly OverdueSlot[]> {
    const nonceOf = ({ account, contract }: OverdueSlot): number =>
      proven.find((each) => each.account === account && each.contract === contract)?.nonce ?? 0;
    const used = this.overdue.filter((slot) => nonceOf(slot) > slot.nonce);
    this.expired.push(...this.overdue.filter((slot) => !used.includes(slot)));
    this.overdue = used;
    return used;
  }

  async rollBackTo(block: BlockReference, halt?: RaisedHalt): Promise<void> {
    this.rollBacks.push(block);
    if (halt !== undefined) await this.halts.raise(halt, 'service');
    this.blocks = this.blocks.filter(({ number }) => number <= block.number);
  }

  async retryParked(): Promise<void> {}

  async countParkedEvents(): Promise<number> {
    return 0;
  }
}
