import {
  type AccountNonce,
  ChainError,
  type IssuedSignature,
  type ReleaseVoucherTerms,
  SigningError,
  type VaultSigner,
} from '../../../src/application/ports-chain.ts';
import type { BlockHeader, ChainLog, ChainNode } from '../../../src/chain/node/chain-node.ts';
import { ChainUnavailableError } from '../../../src/chain/node/json-rpc.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import {
  type ChainBlock,
  type ChainModel,
  signatureOf,
  vaultAddress,
  vaultToken,
} from './chain-model.ts';
import type { Draws } from './draws.ts';
import type { Actor, World } from './world.ts';

/** What is wrong with the node that one machine asks. */
export interface NodeTroubles {
  isDown: boolean;
  /** How many blocks it is behind. */
  lag: number;
  /** It still shows these in the place of those that have replaced them. */
  branch: readonly ChainBlock[];
  /** The share of blocks whose logs it withholds. */
  withholds: number;
}

/** The node of one machine: it shows the chain late, an abandoned branch of it, or a part only. */
export class ChainView {
  readonly troubles: NodeTroubles = { isDown: false, lag: 0, branch: [], withholds: 0 };
  readonly #chain: ChainModel;
  readonly #world: World;
  readonly #draws: Draws;

  constructor(chain: ChainModel, world: World, draws: Draws) {
    this.#chain = chain;
    this.#world = world;
    this.#draws = draws;
  }

  nodeFor(actor: Actor): ChainNode {
    const node: Pick<ChainNode, 'loadHead' | 'findHeader' | 'loadLogs' | 'loadReceiptLogs'> = {
      loadHead: () => this.#ask(actor, () => this.#head().header),
      findHeader: (number) => this.#ask(actor, () => this.#blocks()[number]?.header ?? null),
      loadLogs: (header) =>
        this.#ask(actor, () =>
          this.#draws.chance(this.troubles.withholds) ? [] : this.#logsOf(header),
        ),
      // Another provider shows all of them.
      loadReceiptLogs: (header) => this.#ask(actor, () => [this.#logsOf(header)]),
    };
    return node as ChainNode;
  }

  /** Signs what it is told to, for any account. */
  signerFor(actor: Actor): VaultSigner {
    const findToken = (wanted: boolean) => (wanted ? vaultToken : null);
    return {
      contractAddress: vaultAddress,
      isSigning: true,
      findToken: (symbol) => findToken(symbol === vaultToken.symbol),
      findTokenAt: (address) => findToken(address === vaultToken.address),
      loadStanding: (account) => this.#loadStanding(actor, account),
      loadWindowUsed: async () => 0n,
      loadInstantCapacity: async () => null,
      signRelease: (terms) => this.#sign(actor, terms),
    };
  }

  /** The account's next nonce at a block, as its proof shows it. @throws ChainUnavailableError */
  loadProvenNonce(actor: Actor, account: Address, hash: string): Promise<number> {
    return this.#ask(actor, () => this.#chain.find(hash)!.state.nonces.get(account) ?? 0);
  }

  async #loadStanding(actor: Actor, account: Address): Promise<AccountNonce> {
    const { state, header } = await this.#ask(actor, () => this.#head()).catch(() => {
      throw new ChainError('the node does not answer');
    });
    return { nonce: state.nonces.get(account) ?? 0, blockSeconds: header.timestamp };
  }

  async #sign(actor: Actor, terms: ReleaseVoucherTerms): Promise<IssuedSignature> {
    await this.#world.wait(this.#draws.between(1, 30), actor);
    if (this.#draws.chance(0.05)) throw new SigningError('the signer refuses');
    return { signature: signatureOf(terms), signer: vaultAddress };
  }

  #blocks(): readonly ChainBlock[] {
    const { lag, branch } = this.troubles;
    const { blocks } = this.#chain;
    const [first] = branch;
    if (first !== undefined) return [...blocks.slice(0, first.header.number), ...branch];
    return blocks.slice(0, Math.max(1, blocks.length - lag));
  }

  #head(): ChainBlock {
    return this.#blocks().at(-1)!;
  }

  #logsOf({ hash }: BlockHeader): readonly ChainLog[] {
    return this.#chain.find(hash)?.logs ?? [];
  }

  async #ask<T>(actor: Actor, answer: () => T): Promise<T> {
    await this.#world.wait(this.#draws.between(1, 20), actor);
    if (this.troubles.isDown) throw new ChainUnavailableError('the node does not answer');
    return answer();
  }
}
