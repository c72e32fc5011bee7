import { ChainError } from '../../../src/application/ports/chain.ts';
import type {
  EventEvidence,
  EvidenceReader,
  WaitingEvent,
} from '../../../src/application/ports/waiting-events.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import type { ScriptedVault } from './scripted-vault.ts';

/** What a chain shows whose tokens are the scripted vault's; others have 18 decimals. */
export class ScriptedEvidence implements EvidenceReader {
  readonly #vault: ScriptedVault;

  constructor(vault: ScriptedVault) {
    this.#vault = vault;
  }

  findAsset(symbol: string) {
    return this.#vault.findToken(symbol);
  }

  findAssetAt(address: Address) {
    const { addedLater } = this.#vault;
    if (addedLater?.address === address) return addedLater;
    return this.#vault.findTokenAt(address);
  }

  async loadDecimals(token: Address): Promise<number> {
    if (this.#vault.isQueryFailing) throw new ChainError('the node does not answer');
    return this.findAssetAt(token)?.decimals ?? 18;
  }

  async load({ account, event }: WaitingEvent): Promise<EventEvidence> {
    if (this.#vault.isQueryFailing) throw new ChainError('the node does not answer');
    return {
      head: 77,
      blockHash: `0x${'bb'.repeat(32)}`,
      isIncluded: true,
      nextNumber: this.#vault.nonces.get(account) ?? 0,
      token: 'token' in event ? { symbol: 'ODD', decimals: 18 } : null,
    };
  }
}
