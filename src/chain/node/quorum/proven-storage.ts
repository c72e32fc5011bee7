import { verifyMerkleProof } from '@ethereumjs/mpt';
import { bytesToHex, fromRlp, type Hex, hexToBytes, keccak256, toRlp } from 'viem';
import type { Address } from '../../../domain/identifiers.ts';
import type { Hash } from '../../evm-values.ts';
import { parseBytes } from '../answers.ts';
import { requireObject } from './rlp.ts';

// The value of a contract's storage slot, proven by the state root of a block (EIP-1186).

const emptyRoot = keccak256(toRlp('0x'));

export interface SlotQuestion {
  readonly contract: Address;
  readonly slot: Hex;
  readonly stateRoot: Hash;
}

/** Null if the answer of `eth_getProof` does not prove it. */
export async function proveSlot(
  answer: unknown,
  { contract, slot, stateRoot }: SlotQuestion,
): Promise<bigint | null> {
  try {
    const fields = requireObject(answer);
    const account = await valueAt(stateRoot, contract as Hex, fields['accountProof']);
    if (account === null) return 0n;
    const [, , storageRoot] = fromRlp(account, 'hex') as readonly Hex[];
    if (storageRoot === undefined) return null;
    if (storageRoot === emptyRoot) return 0n;
    const [storage] = fields['storageProof'] as readonly unknown[];
    const value = await valueAt(storageRoot, slot, requireObject(storage)['proof']);
    if (value === null) return 0n;
    const number = fromRlp(value, 'hex') as Hex;
    return number === '0x' ? 0n : BigInt(number);
  } catch {
    return null;
  }
}

/** The value under a key; null if the proof shows that there is none. */
async function valueAt(root: Hex, key: Hex, proof: unknown): Promise<Hex | null> {
  if (!Array.isArray(proof)) throw new TypeError('no proof');
  const nodes = proof.map((node: unknown) => hexToBytes(parseBytes(node)));
  const value = await verifyMerkleProof(hexToBytes(keccak256(key)), nodes, {
    root: hexToBytes(root),
  });
  return value === null ? null : bytesToHex(value);
}
