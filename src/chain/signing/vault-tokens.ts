import type { Address } from '../../domain/identifiers.ts';
import type { ChainToken } from '../chain-addresses.ts';
import type { ChainNode } from '../node/chain-node.ts';
import {
  loadSupported,
  loadTokens,
  type NamedTokens,
  type RegisteredAsset,
} from './check-chain.ts';

/** The vault's tokens, which its owner and the manifest can add to while the service runs. */
export class VaultTokens {
  readonly #place: { readonly node: ChainNode; readonly spotVault: Address };
  #named: readonly ChainToken[];
  /** What the names follow from; null until it was first read. */
  #source: string | null = null;

  constructor(
    place: { readonly node: ChainNode; readonly spotVault: Address },
    { tokens }: NamedTokens,
  ) {
    this.#place = place;
    this.#named = tokens;
  }

  get named(): readonly ChainToken[] {
    return this.#named;
  }

  /**
   * Names the tokens again if the vault or the manifest has changed. Returns why assets are off;
   * null if nothing has changed.
   * @throws ChainUnavailableError
   */
  async refresh(assets: readonly RegisteredAsset[] | null): Promise<readonly string[] | null> {
    const { node, spotVault } = this.#place;
    const source = JSON.stringify([await loadSupported(node, spotVault), assets]);
    if (source === this.#source) return null;
    const isFirst = this.#source === null;
    const { tokens, assetFaults } = await loadTokens(node, spotVault, assets);
    this.#named = tokens;
    this.#source = source;
    return isFirst ? null : assetFaults;
  }
}
