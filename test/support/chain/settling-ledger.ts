import type { CountedBlock } from '../../../src/application/ports/chain-ledger.ts';
import { MemoryChainLedger } from './memory-chain-ledger.ts';
import type { MemorySettlementStore } from './memory-settlement-store.ts';

/** A ledger that reports to the commission what was settled, as the database does. */
export class SettlingLedger extends MemoryChainLedger {
  readonly #settlements: MemorySettlementStore;

  constructor(settlements: MemorySettlementStore) {
    super();
    this.#settlements = settlements;
  }

  override async countBlocks(blocks: readonly CountedBlock[]) {
    for (const event of blocks.flatMap(({ events }) => events)) {
      if (event.type === 'rewardSettled') {
        this.#settlements.countSettled(event.account, event.settledTotal);
      }
    }
    return super.countBlocks(blocks);
  }
}
