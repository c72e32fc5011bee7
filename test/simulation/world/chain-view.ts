import { type Hex, toHex } from 'viem';
import {
  type AccountNonce,
  ChainError,
  type IssuedSignature,
  type ReleaseVoucherTerms,
  SigningError,
  type VaultSigner,
} from '../../../src/application/ports/chain.ts';
import type {
  BlockHeader,
  BlockSelector,
  ChainLog,
  ChainNode,
} from '../../../src/chain/node/chain-node.ts';
import { ChainUnavailableError, type JsonRpc } from '../../../src/chain/node/json-rpc.ts';
import type { Provider } from '../../../src/chain/node/quorum/providers.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import {
  type ChainBlock,
  type ChainModel,
  logOf,
  signatureOf,
  vaultAddress,
  vaultToken,
} from './chain-model.ts';
import type { Draws } from './draws.ts';
import type { Actor, World } from './world.ts';

type UsedOfNode = 'loadHead' | 'findHeader' | 'loadLogs' | 'loadReceiptLogs' | 'call';

/** What is wrong with the node that one machine asks. */
export interface NodeTroubles {
  isDown: boolean;
  /** How many blocks it is behind. */
  lag: number;
  /** It still shows these in place of those that have replaced them. */
  branch: readonly ChainBlock[];
  /** The share of blocks whose logs it withholds. */
  withholds: number;
  /** The share of its answers that are invented. */
  lies: number;
}

/**
 * The node of one machine, or one of the providers that all ask: it shows the chain late, an
 * abandoned branch of it, a part only, or something else.
 */
export class ChainView {
  readonly troubles: NodeTroubles = { isDown: false, lag: 0, branch: [], withholds: 0, lies: 0 };
  readonly #chain: ChainModel;
  readonly #world: World;
  readonly #draws: Draws;

  constructor(chain: ChainModel, world: World, draws: Draws) {
    this.#chain = chain;
    this.#world = world;
    this.#draws = draws;
  }

  nodeFor(actor: Actor): ChainNode {
    const node: Pick<ChainNode, UsedOfNode> = {
      loadHead: () => this.#ask(actor, () => this.#head()),
      findHeader: (number) => this.#ask(actor, () => this.#header(number)),
      loadLogs: (header) =>
        this.#ask(actor, () =>
          this.#draws.chance(this.troubles.withholds) ? [] : this.#logsOf(header),
        ),
      // Another provider shows all of them.
      loadReceiptLogs: (header) => this.#ask(actor, () => [this.#logsOf(header)]),
      // The vault has one view here: the next nonce of an account.
      call: ({ data }, at) => this.#ask(actor, () => this.#nonceOf(data as string as Address, at)),
    };
    return node as ChainNode;
  }

  /** The same, as one of several providers. */
  providerFor(actor: Actor, name: string): Provider {
    const rpc: Pick<JsonRpc, 'call'> = {
      call: (_method, [number]) =>
        this.#ask(actor, () => jsonOf(this.#header(Number(number as string)))),
    };
    return { name, rpc: rpc, node: this.nodeFor(actor) };
  }

  /** Signs anything for any account, according to what the node shows. */
  signerFor(actor: Actor, node: ChainNode): VaultSigner {
    const findToken = (wanted: boolean) => (wanted ? vaultToken : null);
    return {
      contractAddress: vaultAddress,
      isSigning: true,
      findToken: (symbol) => findToken(symbol === vaultToken.symbol),
      findTokenAt: (address) => findToken(address === vaultToken.address),
      loadStanding: (account) => loadStanding(node, account),
      loadWindowUsed: async () => 0n,
      loadInstantCapacity: async () => null,
      signRelease: (terms) => this.#sign(actor, terms),
    };
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

  get #isLying(): boolean {
    return this.troubles.lies > 0 && this.#draws.chance(this.troubles.lies);
  }

  #head(): BlockHeader {
    const { header } = this.#blocks().at(-1)!;
    return this.#isLying ? this.#madeUp(header.number + this.#draws.below(30), header) : header;
  }

  #header(number: number): BlockHeader | null {
    const header = this.#blocks()[number]?.header ?? null;
    return this.#isLying ? this.#madeUp(number, header ?? this.#blocks()[0]!.header) : header;
  }

  #madeUp(number: number, { parentHash, timestamp, logsBloom }: BlockHeader): BlockHeader {
    const hash: Hex = `0x${this.#draws.hex(32)}`;
    return { number, hash, parentHash, timestamp: timestamp + 7_200, logsBloom };
  }

  // Shows a deposit that was never made, with the number of the account's next one, instead of
  // everything that happened.
  #logsOf({ hash }: BlockHeader): readonly ChainLog[] {
    const block = this.#chain.find(hash);
    if (block === undefined || !this.#isLying) return block?.logs ?? [];
    const [account] = this.#draws.pick([...block.state.deposits, [vaultAddress, []] as const]);
    const raw = BigInt(1 + this.#draws.below(1_000)) * 10n ** 18n;
    const number = block.state.deposits.get(account)?.length ?? 0;
    const transactionHash: Hex = `0x${this.#draws.hex(32)}`;
    const place = { blockHash: block.header.hash, transactionHash, logIndex: 0 };
    return [{ address: vaultAddress, ...logOf('Deposited', account, raw, number), ...place }];
  }

  #nonceOf(account: Address, at: BlockSelector | undefined): Hex {
    const hash = typeof at === 'object' ? at.blockHash : this.#head().hash;
    const block = this.#chain.find(hash);
    if (block === undefined) throw new ChainUnavailableError('the node does not know the block');
    const nonce = block.state.nonces.get(account) ?? 0;
    return toHex(this.#isLying ? nonce + this.#draws.below(3) : nonce);
  }

  async #ask<T>(actor: Actor, answer: () => T): Promise<T> {
    await this.#world.wait(this.#draws.between(1, 20), actor);
    if (this.troubles.isDown) throw new ChainUnavailableError('the node does not answer');
    return answer();
  }
}

/** The account's next nonce at a block. @throws ChainUnavailableError */
export async function loadNonce(
  node: ChainNode,
  account: Address,
  blockHash: Hex,
): Promise<number> {
  return Number(await node.call({ to: vaultAddress, data: account as Hex }, { blockHash }));
}

async function loadStanding(node: ChainNode, account: Address): Promise<AccountNonce> {
  try {
    const { hash, timestamp } = await node.loadHead();
    return { nonce: await loadNonce(node, account, hash), blockSeconds: timestamp };
  } catch {
    throw new ChainError('the node does not answer');
  }
}

// In the text form that a node uses.
function jsonOf(header: BlockHeader | null): unknown {
  if (header === null) return null;
  const { number, timestamp, ...rest } = header;
  const logsBloom = `0x${'f'.repeat(512)}`;
  return { ...rest, logsBloom, number: toHex(number), timestamp: toHex(timestamp) };
}
