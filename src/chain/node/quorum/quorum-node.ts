import type { Hex } from 'viem';
import type { Address } from '../../../domain/identifiers.ts';
import { type Hash, toHexAddress } from '../../evm-values.ts';
import { parseHeader } from '../answers.ts';
import {
  type BlockHeader,
  type BlockSelector,
  type BroadcastResult,
  type ChainCall,
  type ChainLog,
  type ChainNode,
  ChainRevertedError,
  type FinalTag,
  type LogFilter,
  type SlotOfContract,
} from '../chain-node.ts';
import { ChainUnavailableError } from '../json-rpc.ts';
import { mayContain } from '../logs-bloom.ts';
import { type ProvenHeader, proveHeader } from './proven-header.ts';
import { proveReceipts } from './proven-receipts.ts';
import { proveSlot } from './proven-storage.ts';
import { type Provider, Providers, type ProvidersOptions } from './providers.ts';

// Several providers as one node. Only block hashes are trusted, and only if the quorum agrees on
// them. Logs and slots are proven under them, so asking one provider is enough, and none can hide
// anything. What cannot be proven must be equal at the quorum.

export interface QuorumNodeOptions extends ProvidersOptions {
  /** Whether headers can be rebuilt here; if not, everything must be equal at the quorum. */
  readonly areProofsRequired: boolean;
}

const rememberedHeadersMax = 1_024;

class UnknownBlockError extends ChainUnavailableError {
  override readonly name = 'UnknownBlockError';
}

export class QuorumNode implements ChainNode {
  readonly #providers: Providers;
  readonly #areProofsRequired: boolean;
  /** Proven headers of agreed blocks, by hash. */
  readonly #headers = new Map<Hash, ProvenHeader>();

  constructor(options: QuorumNodeOptions) {
    this.#providers = new Providers(options);
    this.#areProofsRequired = options.areProofsRequired;
  }

  get agreement() {
    const { fault, disagreementSeconds, excludedCount } = this.#providers;
    return { fault, disagreementSeconds, excludedCount };
  }

  /** Reads a slot with a proof; undefined if this chain's headers cannot be rebuilt. */
  get loadSlot(): ChainNode['loadSlot'] {
    return this.#areProofsRequired ? (question) => this.#loadSlot(question) : undefined;
  }

  async loadChainId(): Promise<number> {
    return this.#providers.agree('chain id', ({ node }) => node.loadChainId());
  }

  /** The highest block that the quorum has. */
  async loadHead(): Promise<BlockHeader> {
    const heads = await this.#providers.collect('head', ({ node }) => node.loadHead());
    const number = this.#highestOfQuorum(heads.map(({ value }) => value.number));
    const header = await this.findHeader(number);
    if (header === null) throw new ChainUnavailableError(`head ${number}: the quorum is behind`);
    return header;
  }

  async loadFinal(tag: FinalTag): Promise<number> {
    const answers = await this.#providers.collect(tag, ({ node }) => node.loadFinal(tag));
    return this.#highestOfQuorum(answers.map(({ value }) => value));
  }

  async findHeader(number: number): Promise<BlockHeader | null> {
    const quantity = `0x${number.toString(16)}`;
    try {
      return await this.#agreeOnHeader(`block ${number}`, ['eth_getBlockByNumber', quantity]);
    } catch (error) {
      if (error instanceof UnknownBlockError) return null;
      throw error;
    }
  }

  async loadLogs(block: BlockHeader, filter: LogFilter): Promise<readonly ChainLog[]> {
    if (!this.#areProofsRequired) {
      return this.#providers.agree(`logs of ${block.hash}`, ({ node }) =>
        // An unproven bloom filter shows nothing.
        node.loadLogs({ ...block, logsBloom: fullBloom }, filter),
      );
    }
    const proven = await this.#provenHeader(block.hash);
    const { addresses, firstTopics } = filter;
    const isPossible =
      addresses.some((address) => mayContain(proven.logsBloom, toHexAddress(address))) &&
      firstTopics.some((topic) => mayContain(proven.logsBloom, topic));
    if (!isPossible) return [];
    const logs = await this.#firstProven('the receipts of a block', async ({ rpc }) =>
      proveReceipts(await rpc.call('eth_getBlockReceipts', [block.hash]), proven),
    );
    return logs.filter(
      ({ address, topics: [first] }) =>
        addresses.includes(address) && first !== undefined && firstTopics.includes(first),
    );
  }

  async loadReceiptLogs(
    block: BlockHeader,
    filter: LogFilter,
  ): Promise<readonly (readonly ChainLog[])[]> {
    if (this.#areProofsRequired) return [await this.loadLogs(block, filter)];
    const asked = await Promise.allSettled(
      this.#providers.usable.map(({ node }) => node.loadReceiptLogs(block, filter)),
    );
    return asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  async loadCode(address: Address, atNumber?: number): Promise<Hex> {
    const number = atNumber ?? (await this.loadHead()).number;
    return this.#providers.agree(`code of ${address}`, ({ node }) =>
      node.loadCode(address, number),
    );
  }

  async loadBalance(address: Address): Promise<bigint> {
    return this.#median('balance', ({ node }) => node.loadBalance(address));
  }

  async loadTransactionCount(address: Address, at: BlockSelector): Promise<number> {
    if (typeof at === 'object') {
      return this.#providers.agree(`nonce of ${address}`, ({ node }) =>
        node.loadTransactionCount(address, at),
      );
    }
    return this.#median('nonce', ({ node }) => node.loadTransactionCount(address, at));
  }

  async loadFees() {
    const fees = await this.#providers.collect('fees', ({ node }) => node.loadFees());
    return {
      maxFeePerGas: medianOf(fees.map(({ value }) => value.maxFeePerGas)),
      maxPriorityFeePerGas: medianOf(fees.map(({ value }) => value.maxPriorityFeePerGas)),
    };
  }

  async call(call: ChainCall, at: BlockSelector = 'latest'): Promise<Hex> {
    const block = typeof at === 'object' ? at : { blockHash: (await this.loadHead()).hash };
    const answer = await this.#providers.agree(`call of ${call.to}`, ({ node }) =>
      orRevert(node.call(call, block)),
    );
    if (typeof answer === 'string') return answer;
    throw new ChainRevertedError(answer.message, answer.data);
  }

  async estimateGas(call: ChainCall): Promise<bigint> {
    const answers = await this.#providers.collect('gas', ({ node }) =>
      orRevert(node.estimateGas(call)),
    );
    const reverts = answers.flatMap(({ value }) => (typeof value === 'object' ? [value] : []));
    const [revert] = reverts;
    if (revert !== undefined && reverts.length >= this.#providers.quorum) {
      throw new ChainRevertedError(revert.message, revert.data);
    }
    const gas = answers.flatMap(({ value }) => (typeof value === 'bigint' ? [value] : []));
    if (gas.length === 0) throw new ChainUnavailableError('gas: the providers disagree');
    return medianOf(gas);
  }

  async loadGasLimitOfBlock(): Promise<bigint> {
    return this.#median('gas limit', ({ node }) => node.loadGasLimitOfBlock());
  }

  async findReceipt(transaction: Hash) {
    return this.#providers.agree(`receipt of ${transaction}`, ({ node }) =>
      node.findReceipt(transaction),
    );
  }

  async isTransactionKnown(transaction: Hash): Promise<boolean> {
    const answers = await this.#providers.collect('transaction', ({ node }) =>
      node.isTransactionKnown(transaction),
    );
    return answers.some(({ value }) => value);
  }

  /** Sends it to all providers; if one accepts it, it is on its way. */
  async broadcast(bytes: Hex): Promise<BroadcastResult> {
    const asked = await Promise.allSettled(
      this.#providers.usable.map(({ node }) => node.broadcast(bytes)),
    );
    const results = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const taken = results.find((result) => result === 'accepted' || result === 'known');
    const result = taken ?? results[0];
    if (result !== undefined) return result;
    throw new ChainUnavailableError('eth_sendRawTransaction: no provider answers');
  }

  async #loadSlot({ contract, slot, blockHash }: SlotOfContract): Promise<bigint> {
    const { stateRoot } = await this.#provenHeader(blockHash);
    return this.#firstProven('a slot of a contract', async ({ rpc }) =>
      proveSlot(await rpc.call('eth_getProof', [contract, [slot], { blockHash }]), {
        contract,
        slot,
        stateRoot,
      }),
    );
  }

  #readHeader(provider: Provider, answer: unknown): BlockHeader {
    if (!this.#areProofsRequired) return parseHeader(answer);
    const proven = proveHeader(answer);
    if (proven !== null) return proven;
    this.#providers.putAside(provider, 'a header does not give its hash');
    throw new ChainUnavailableError('a header does not give its hash');
  }

  async #provenHeader(hash: Hash): Promise<ProvenHeader> {
    const known = this.#headers.get(hash);
    if (known !== undefined) return known;
    // Its hash was agreed on before, so the header proves itself.
    return this.#firstProven('a header', async ({ rpc }) => {
      const answer = await rpc.call('eth_getBlockByHash', [hash, false]);
      if (answer === null) throw new UnknownBlockError('a provider does not know the block');
      const header = proveHeader(answer);
      if (header?.hash !== hash) return null;
      this.#remember(header);
      return header;
    });
  }

  async #agreeOnHeader(
    what: string,
    [method, block]: readonly [method: string, block: string],
  ): Promise<BlockHeader> {
    const header = await this.#providers.agree(
      what,
      async (provider) => {
        const answer = await provider.rpc.call(method, [block, false]);
        // A provider that is behind gives no answer about this block.
        if (answer === null) throw new UnknownBlockError('a provider does not know the block');
        return this.#readHeader(provider, answer);
      },
      ({ hash }) => hash,
    );
    this.#remember(header);
    return header;
  }

  #remember(header: BlockHeader | ProvenHeader): void {
    if ('stateRoot' in header) this.#headers.set(header.hash, header);
    for (const hash of this.#headers.keys()) {
      if (this.#headers.size <= rememberedHeadersMax) return;
      this.#headers.delete(hash);
    }
  }

  // Asks one provider after the other until one proves its answer; those whose answers failed to
  // prove before it are excluded. If none proves it, the question may be at fault: a node may not
  // hold that state.
  async #firstProven<T>(what: string, ask: (provider: Provider) => Promise<T | null>): Promise<T> {
    let lastError: unknown = null;
    const unproven: Provider[] = [];
    for (const provider of this.#providers.usable) {
      try {
        const proven = await ask(provider);
        if (proven !== null) {
          for (const each of unproven) this.#providers.putAside(each, what);
          return proven;
        }
        unproven.push(provider);
      } catch (error) {
        lastError = error;
      }
    }
    if (lastError instanceof ChainUnavailableError) throw lastError;
    throw new ChainUnavailableError(`no provider proves ${what}`);
  }

  async #median<T extends number | bigint>(
    what: string,
    ask: (provider: Provider) => Promise<T>,
  ): Promise<T> {
    const answers = await this.#providers.collect(what, ask);
    return medianOf(answers.map(({ value }) => value));
  }

  // The highest number that a quorum of providers has reached: one that is behind delays nothing.
  #highestOfQuorum(numbers: readonly number[]): number {
    const sorted = [...numbers].sort((left, right) => right - left);
    const number = sorted[this.#providers.quorum - 1];
    if (number === undefined) throw new ChainUnavailableError('too few providers answer');
    return number;
  }
}

const fullBloom: Hex = `0x${'f'.repeat(512)}`;

// The lower median: paying by it means paying no more than half of the providers suggest.
function medianOf<T extends number | bigint>(values: readonly T[]): T {
  const sorted = [...values].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new ChainUnavailableError('too few providers answer');
  return middle;
}

interface Revert {
  readonly data: Hex;
  readonly message: string;
}

// A contract's revert is an answer too. Its message differs between nodes, so it is not compared.
async function orRevert<T>(answer: Promise<T>): Promise<T | Revert> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ChainRevertedError)) throw error;
    return { data: error.data, message: 'execution reverted' };
  }
}
