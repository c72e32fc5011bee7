import type { Hex } from 'viem';
import { parseAddress } from '../../domain/identifiers.ts';
import type { Hash } from '../evm-values.ts';
import type { BlockHeader, ChainLog, ChainReceipt } from './chain-node.ts';
import { ChainUnavailableError } from './json-rpc.ts';

// Parses a node's answers field by field: their shape is not trusted.

type Fields = Readonly<Record<string, unknown>>;

const quantityPattern = /^0x(0|[1-9a-f][0-9a-f]*)$/i;
const bytesPattern = /^0x([0-9a-f]{2})*$/i;
const hashPattern = /^0x[0-9a-f]{64}$/i;
const bloomPattern = /^0x[0-9a-f]{512}$/i;

export function parseQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !quantityPattern.test(value)) throw malformed('a number');
  return BigInt(value);
}

export function parseCount(value: unknown): number {
  const count = Number(parseQuantity(value));
  if (!Number.isSafeInteger(count)) throw malformed('a number within 2^53');
  return count;
}

export function parseBytes(value: unknown): Hex {
  if (typeof value !== 'string' || !bytesPattern.test(value)) throw malformed('bytes');
  return value.toLowerCase() as Hex;
}

export function parseHash(value: unknown): Hash {
  if (typeof value !== 'string' || !hashPattern.test(value)) throw malformed('a hash');
  return value.toLowerCase() as Hash;
}

export function parseHeader(value: unknown): BlockHeader {
  const fields = requireFields(value, 'a block');
  const logsBloom = fields['logsBloom'];
  if (typeof logsBloom !== 'string' || !bloomPattern.test(logsBloom)) throw malformed('a bloom');
  return {
    number: parseCount(fields['number']),
    hash: parseHash(fields['hash']),
    parentHash: parseHash(fields['parentHash']),
    timestamp: parseCount(fields['timestamp']),
    logsBloom: logsBloom as Hex,
  };
}

export function parseLogs(value: unknown): readonly ChainLog[] {
  if (!Array.isArray(value)) throw malformed('a list of logs');
  return value.map((entry: unknown) => {
    const fields = requireFields(entry, 'a log');
    const topics = fields['topics'];
    const address = typeof fields['address'] === 'string' ? parseAddress(fields['address']) : null;
    if (!Array.isArray(topics) || address === null) throw malformed('a log');
    return {
      address,
      topics: topics.map(parseHash),
      data: parseBytes(fields['data']),
      blockHash: parseHash(fields['blockHash']),
      transactionHash: parseHash(fields['transactionHash']),
      logIndex: parseCount(fields['logIndex']),
    };
  });
}

export function parseReceipt(value: unknown): ChainReceipt {
  const fields = requireFields(value, 'a receipt');
  return {
    transactionHash: parseHash(fields['transactionHash']),
    blockHash: parseHash(fields['blockHash']),
    blockNumber: parseCount(fields['blockNumber']),
    isSuccess: parseQuantity(fields['status']) === 1n,
  };
}

/** The logs of all receipts of a block. */
export function parseReceiptLogs(value: unknown): readonly ChainLog[] {
  if (!Array.isArray(value)) throw malformed('a list of receipts');
  return value.flatMap((entry: unknown) => parseLogs(requireFields(entry, 'a receipt')['logs']));
}

function requireFields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null) throw malformed(what);
  return value as Fields;
}

function malformed(what: string): ChainUnavailableError {
  return new ChainUnavailableError(`the node did not answer with ${what}`);
}
