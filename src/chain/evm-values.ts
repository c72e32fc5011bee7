import type { Hex } from 'viem';
import { type Address, parseAddress } from '../domain/identifiers.ts';

/** A 32 byte hash of a block, a transaction or a digest: 0x and 64 hex digits. */
export type Hash = Hex;

/** The account as the EVM client library types it. */
export function toHexAddress(address: Address): Hex {
  return address as string as Hex;
}

/** The account in this exchange's lowercase form; the library returns mixed-case checksums. */
export function fromHexAddress(address: Hex): Address {
  const parsed = parseAddress(address);
  if (parsed === null) throw new Error(`the chain reported an invalid account: ${address}`);
  return parsed;
}
