import type { Hex } from 'viem';
import type { TransactionRefusal } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Hash } from '../evm-values.ts';

// What the service requests from a node. Block numbers and seconds are safe integers; amounts of
// money and gas are bigints.

export interface BlockHeader {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  /** Unix seconds; rises with every block. */
  readonly timestamp: number;
  readonly logsBloom: Hex;
}

export interface ChainLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
  readonly blockHash: Hash;
  readonly transactionHash: Hash;
  readonly logIndex: number;
}

/** Logs of any of the contracts with any of the first topics. */
export interface LogFilter {
  readonly addresses: readonly Address[];
  readonly firstTopics: readonly Hash[];
}

export interface ChainReceipt {
  readonly transactionHash: Hash;
  readonly blockHash: Hash;
  readonly blockNumber: number;
  readonly isSuccess: boolean;
}

export interface ChainCall {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** In wei of the chain's own coin. */
export interface FeeSuggestion {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The current head, the pool on top of it, or one block by its hash. */
export type BlockSelector = 'latest' | 'pending' | { readonly blockHash: Hash };

/** The chain's tags for blocks that it will not leave any more. */
export type FinalTag = 'finalized' | 'safe';

/** A contract reverted a call; the data names its custom error. */
export class ChainRevertedError extends Error {
  override readonly name = 'ChainRevertedError';
  readonly data: Hex;

  constructor(message: string, data: Hex) {
    super(message);
    this.data = data;
  }
}

/** How a node responds to a signed transaction. */
export type BroadcastResult = 'accepted' | 'known' | TransactionRefusal;

/** Every method throws ChainUnavailableError if the node gives no valid answer. */
export interface ChainNode {
  loadChainId(): Promise<number>;
  loadHead(): Promise<BlockHeader>;
  /** Null if the node has no such block. */
  findHeader(number: number): Promise<BlockHeader | null>;
  /** The selected logs of one block, in order; an unknown block is an error. */
  loadLogs(block: BlockHeader, filter: LogFilter): Promise<readonly ChainLog[]>;
  /**
   * At the block with that number, which pruned nodes refuse for old blocks; by default the latest.
   */
  loadCode(address: Address, atNumber?: number): Promise<Hex>;
  loadBalance(address: Address): Promise<bigint>;
  loadTransactionCount(address: Address, at: BlockSelector): Promise<number>;
  loadFees(): Promise<FeeSuggestion>;
  /** @throws ChainRevertedError */
  call(call: ChainCall, at?: BlockSelector): Promise<Hex>;
  /** @throws ChainRevertedError */
  estimateGas(call: ChainCall): Promise<bigint>;
  loadGasLimitOfBlock(): Promise<bigint>;
  findReceipt(transaction: Hash): Promise<ChainReceipt | null>;
  /** Whether the node has the transaction, mined or pending. */
  isTransactionKnown(transaction: Hash): Promise<boolean>;
  broadcast(bytes: Hex): Promise<BroadcastResult>;
  /** The number of the block that carries the tag. */
  loadFinal(tag: FinalTag): Promise<number>;
  /**
   * A storage slot of a contract at a block, proven by its state root; absent if nothing is proven.
   */
  readonly loadSlot?: ((question: SlotOfContract) => Promise<bigint>) | undefined;
  /**
   * The selected logs of one block by the receipts of each provider that has them, for a block
   * whose logs may have been withheld. What is proven is a single answer.
   */
  loadReceiptLogs(block: BlockHeader, filter: LogFilter): Promise<readonly (readonly ChainLog[])[]>;
  /** Absent with a single provider. */
  readonly agreement?: ProviderAgreement;
}

export interface SlotOfContract {
  readonly contract: Address;
  readonly slot: Hex;
  readonly blockHash: Hash;
}

interface ProviderAgreement {
  /** Why nothing may be signed. */
  readonly fault: string | null;
  /** How long some question has had no agreed answer. */
  readonly disagreementSeconds: number;
  /** Providers that were caught contradicting a proof and are not asked. */
  readonly excludedCount: number;
}
