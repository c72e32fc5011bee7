import type { Hex } from 'viem';
import { toHexAddress } from '../evm-values.ts';
import {
  parseBytes,
  parseCount,
  parseHash,
  parseHeader,
  parseLogs,
  parseQuantity,
  parseReceipt,
  parseReceiptLogs,
} from './answers.ts';
import {
  type BlockHeader,
  type BlockSelector,
  type BroadcastResult,
  type ChainCall,
  type ChainLog,
  type ChainNode,
  ChainRevertedError,
  type LogFilter,
} from './chain-node.ts';
import { ChainRpcError, ChainUnavailableError, type JsonRpc } from './json-rpc.ts';
import { mayContain } from './logs-bloom.ts';

const methodNotFoundCode = -32_601;

/** A node behind JSON-RPC; it may be one of many, some of them behind the head. */
export function createJsonRpcNode(rpc: JsonRpc): ChainNode {
  return {
    loadChainId: async () => parseCount(await rpc.call('eth_chainId', [])),
    loadHead: async () => parseHeader(await rpc.call('eth_getBlockByNumber', ['latest', false])),
    findHeader: async (number) => {
      const answer = await rpc.call('eth_getBlockByNumber', [quantity(number), false]);
      return answer === null ? null : parseHeader(answer);
    },
    loadLogs: (block, filter) => loadLogs(rpc, block, filter),
    loadCode: async (address, atNumber) => {
      const at = atNumber === undefined ? 'latest' : quantity(atNumber);
      return parseBytes(await rpc.call('eth_getCode', [address, at]));
    },
    loadBalance: async (address) =>
      parseQuantity(await rpc.call('eth_getBalance', [address, 'latest'])),
    loadTransactionCount: async (address, at) =>
      parseCount(await rpc.call('eth_getTransactionCount', [address, at])),
    loadFees: () => loadFees(rpc),
    call: async (call, at: BlockSelector = 'latest') =>
      parseBytes(await revertible(rpc, 'eth_call', [callFields(call), at])),
    estimateGas: async (call) =>
      parseQuantity(await revertible(rpc, 'eth_estimateGas', [callFields(call)])),
    loadGasLimitOfBlock: async () => {
      const block = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as {
        readonly gasLimit?: unknown;
      } | null;
      return parseQuantity(block?.gasLimit);
    },
    findReceipt: async (transaction) => {
      const answer = await rpc.call('eth_getTransactionReceipt', [transaction]);
      return answer === null ? null : parseReceipt(answer);
    },
    isTransactionKnown: async (transaction) =>
      (await rpc.call('eth_getTransactionByHash', [transaction])) !== null,
    broadcast: (bytes) => broadcast(rpc, bytes),
    loadReceiptLogs: async (block, filter) => {
      const logs = await loadReceiptLogs(rpc, block);
      return logs === null ? [] : [checked(logs.filter(matches(filter)), block, filter)];
    },
    loadFinal: async (tag) =>
      parseHeader(await rpc.call('eth_getBlockByNumber', [tag, false])).number,
  };
}

/**
 * A node that has not seen a block yet answers a search by number with an empty list, which would
 * hide events permanently. A search by hash fails instead; and if the block's own bloom filter
 * allows for our events, an empty list is checked against the receipts.
 */
async function loadLogs(
  rpc: JsonRpc,
  block: BlockHeader,
  filter: LogFilter,
): Promise<readonly ChainLog[]> {
  const { addresses, firstTopics } = filter;
  const isPossible =
    addresses.some((address) => mayContain(block.logsBloom, toHexAddress(address))) &&
    firstTopics.some((topic) => mayContain(block.logsBloom, topic));
  if (!isPossible) return [];
  const query = { blockHash: block.hash, address: addresses, topics: [firstTopics] };
  const search = async () => parseLogs(await rpc.call('eth_getLogs', [query]));
  const logs = checked(await search(), block, filter);
  if (logs.length > 0) return logs;
  const all = await loadReceiptLogs(rpc, block);
  return checked((all ?? (await search())).filter(matches(filter)), block, filter);
}

// Null if the node does not support the method.
async function loadReceiptLogs(
  rpc: JsonRpc,
  block: BlockHeader,
): Promise<readonly ChainLog[] | null> {
  try {
    return parseReceiptLogs(await rpc.call('eth_getBlockReceipts', [block.hash]));
  } catch (error) {
    if (error instanceof ChainRpcError && error.code === methodNotFoundCode) return null;
    throw error;
  }
}

function matches({ addresses, firstTopics }: LogFilter): (log: ChainLog) => boolean {
  return ({ address, topics: [first] }) =>
    addresses.includes(address) && first !== undefined && firstTopics.includes(first);
}

function checked(
  logs: readonly ChainLog[],
  block: BlockHeader,
  filter: LogFilter,
): readonly ChainLog[] {
  const isMatch = matches(filter);
  if (!logs.every((log) => log.blockHash === block.hash && isMatch(log))) {
    throw new ChainUnavailableError('the node answered with logs that were not requested');
  }
  return [...logs].sort((left, right) => left.logIndex - right.logIndex);
}

async function loadFees(rpc: JsonRpc) {
  const [block, priority] = await Promise.all([
    rpc.call('eth_getBlockByNumber', ['latest', false]),
    rpc.call('eth_maxPriorityFeePerGas', []),
  ]);
  const baseFee = parseQuantity(
    (block as { readonly baseFeePerGas?: unknown } | null)?.baseFeePerGas,
  );
  const maxPriorityFeePerGas = parseQuantity(priority);
  // Twice the base fee remains enough through six full blocks in a row.
  return { maxFeePerGas: 2n * baseFee + maxPriorityFeePerGas, maxPriorityFeePerGas };
}

async function revertible(
  rpc: JsonRpc,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  try {
    return await rpc.call(method, params);
  } catch (error) {
    if (error instanceof ChainRpcError) {
      const data = revertData(error.data);
      if (data !== null) throw new ChainRevertedError(error.message, data);
      if (/revert/i.test(error.message)) throw new ChainRevertedError(error.message, '0x');
    }
    throw error;
  }
}

// Nodes differ in where they put a contract's return data.
function revertData(data: unknown): Hex | null {
  if (typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)) return data as Hex;
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data);
  return null;
}

async function broadcast(rpc: JsonRpc, bytes: Hex): Promise<BroadcastResult> {
  try {
    parseHash(await rpc.call('eth_sendRawTransaction', [bytes]));
    return 'accepted';
  } catch (error) {
    if (!(error instanceof ChainRpcError)) throw error;
    return classifyRefusal(error.message);
  }
}

// These errors have no codes; the texts are those of geth, Nethermind, Erigon, Reth and Anvil.
function classifyRefusal(message: string): BroadcastResult {
  if (/already known|already imported|alreadyknown|known transaction/i.test(message))
    return 'known';
  if (/nonce (is )?too low|oldnonce|nonce too small/i.test(message)) return 'nonce_too_low';
  if (/underpriced|fee too low|max fee per gas less than/i.test(message)) return 'underpriced';
  if (/insufficient funds/i.test(message)) return 'insufficient_funds';
  if (/exceeds the configured cap|fee cap exceeded/i.test(message)) return 'fee_cap';
  if (/nonce (is )?too (high|far|distant)|nonce gap|gapped.nonce/i.test(message))
    return 'nonce_gap';
  if (
    /exceeds block gas limit|gas limit (is )?too high|intrinsic gas|gas limit exceed/i.test(message)
  )
    return 'gas_limit';
  return 'unknown';
}

function callFields({ from, to, data }: ChainCall) {
  return { ...(from === undefined ? {} : { from }), to, data };
}

function quantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}
