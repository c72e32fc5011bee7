import { type Hex, hexToBytes, keccak256 } from 'viem';

const bitsMask = 0x7ff;
const bloomBytes = 256;

/**
 * Whether a block's bloom filter allows for a value (an address or a topic) in its logs: false is
 * certain, true is occasionally wrong.
 */
export function mayContain(logsBloom: Hex, value: Hex): boolean {
  const bloom = hexToBytes(logsBloom);
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].every((offset) => {
    const bit = (((hash[offset] ?? 0) << 8) | (hash[offset + 1] ?? 0)) & bitsMask;
    const byte = bloom[bloomBytes - 1 - (bit >> 3)] ?? 0;
    return (byte & (1 << (bit & 7))) !== 0;
  });
}
