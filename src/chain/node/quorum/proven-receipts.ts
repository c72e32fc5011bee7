import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { bytesToHex, concatHex, type Hex, hexToBytes, toRlp } from 'viem';
import type { Hash } from '../../evm-values.ts';
import { parseBytes, parseCount, parseLogs, parseQuantity } from '../answers.ts';
import type { ChainLog } from '../chain-node.ts';
import { requireObject, rlpNumber } from './rlp.ts';

// All receipts of a block together give the root in its header, so a list with that root contains
// every log and no other.

/** The logs of a block's receipts; null if the receipts are not the block's. */
export async function proveReceipts(
  answer: unknown,
  { hash, receiptsRoot }: { readonly hash: Hash; readonly receiptsRoot: Hash },
): Promise<readonly ChainLog[] | null> {
  if (!Array.isArray(answer)) return null;
  const trie = new MerklePatriciaTrie();
  const logs: ChainLog[] = [];
  for (const [index, receipt] of answer.entries()) {
    const fields = requireObject(receipt);
    const ofReceipt = parseLogs(fields['logs']);
    // The list and each log's place in it are proven; the index that a node states is not.
    for (const log of ofReceipt) {
      logs.push({ ...log, blockHash: hash, logIndex: logs.length });
    }
    await trie.put(toRlp(rlpNumber(BigInt(index)), 'bytes'), encodeReceipt(fields, ofReceipt));
  }
  return bytesToHex(trie.root()) === receiptsRoot ? logs : null;
}

function encodeReceipt(
  fields: Readonly<Record<string, unknown>>,
  logs: readonly ChainLog[],
): Uint8Array {
  const list = toRlp([
    rlpNumber(parseQuantity(fields['status'])),
    rlpNumber(parseQuantity(fields['cumulativeGasUsed'])),
    parseBytes(fields['logsBloom']),
    logs.map(({ address, topics, data }) => [address as Hex, [...topics], data]),
  ]);
  const type = fields['type'] === undefined ? 0 : parseCount(fields['type']);
  return hexToBytes(type === 0 ? list : concatHex([rlpNumber(BigInt(type)), list]));
}
