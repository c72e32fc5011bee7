import type {
  BlockReference,
  ChainEvent,
  ChainLedger,
  CountedBlock,
  ParkedEvent,
} from '../../../src/application/ports-chain-ledger.ts';

/** Remembers what was counted; its events say what a database would have applied. */
export class MemoryChainLedger implements ChainLedger {
  blocks: (BlockReference & { readonly events: readonly ChainEvent[] })[] = [];
  readonly rollBacks: BlockReference[] = [];
  /** Called before blocks are counted; throwing is what a database in trouble does. */
  onCount: () => void = () => undefined;

  get events(): readonly ChainEvent[] {
    return this.blocks.flatMap(({ events }) => events);
  }

  async loadCountedBlocks(): Promise<readonly BlockReference[]> {
    return this.blocks.map(({ number, hash }) => ({ number, hash }));
  }

  async startAfter(block: BlockReference): Promise<void> {
    if (this.blocks.length > 0) throw new Error('the chain is counted already');
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

  async rollBackTo(block: BlockReference): Promise<void> {
    this.rollBacks.push(block);
    this.blocks = this.blocks.filter(({ number }) => number <= block.number);
  }

  async countParkedEvents(): Promise<number> {
    return 0;
  }
}
