import type { Hex } from 'viem';

type Fields = Readonly<Record<string, unknown>>;

/** A whole number in RLP: without leading zeros, empty for zero. */
export function rlpNumber(value: bigint): Hex {
  if (value === 0n) return '0x';
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

export function requireObject(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return value as Fields;
}
