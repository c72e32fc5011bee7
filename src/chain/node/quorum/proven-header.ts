import { type Hex, keccak256, toRlp } from 'viem';
import type { Hash } from '../../evm-values.ts';
import { parseBytes, parseHash, parseHeader, parseQuantity } from '../answers.ts';
import type { BlockHeader } from '../chain-node.ts';
import { requireObject, rlpNumber } from './rlp.ts';

// A block's hash is the hash of its header, so a known hash proves the header's content: neither
// its bloom filter nor its roots can be forged.

/** A header whose hash was computed here from its fields. */
export interface ProvenHeader extends BlockHeader {
  readonly stateRoot: Hash;
  readonly receiptsRoot: Hash;
}

const bytes = (value: unknown): Hex => parseBytes(value);
const number = (value: unknown): Hex => rlpNumber(parseQuantity(value));

type Encoder = (value: unknown) => Hex;

const required: readonly (readonly [string, Encoder])[] = [
  ['parentHash', bytes],
  ['sha3Uncles', bytes],
  ['miner', bytes],
  ['stateRoot', bytes],
  ['transactionsRoot', bytes],
  ['receiptsRoot', bytes],
  ['logsBloom', bytes],
  ['difficulty', number],
  ['number', number],
  ['gasLimit', number],
  ['gasUsed', number],
  ['timestamp', number],
  ['extraData', bytes],
  ['mixHash', bytes],
  ['nonce', bytes],
];
// In the order in which protocol upgrades appended them; a header has a prefix of this list.
const appended: readonly (readonly [string, Encoder])[] = [
  ['baseFeePerGas', number],
  ['withdrawalsRoot', bytes],
  ['blobGasUsed', number],
  ['excessBlobGas', number],
  ['parentBeaconBlockRoot', bytes],
  ['requestsHash', bytes],
];

/** Null if the header does not hash to the value that it claims. */
export function proveHeader(answer: unknown): ProvenHeader | null {
  const header = parseHeader(answer);
  const fields = requireObject(answer);
  const present = appended.filter(([name]) => fields[name] !== undefined && fields[name] !== null);
  const encoded = [...required, ...present].map(([name, encode]) => encode(fields[name]));
  if (keccak256(toRlp(encoded)) !== header.hash) return null;
  return {
    ...header,
    stateRoot: parseHash(fields['stateRoot']),
    receiptsRoot: parseHash(fields['receiptsRoot']),
  };
}
