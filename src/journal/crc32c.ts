// CRC-32C (Castagnoli), eight bytes per step: each table gives the effect of one byte at one of the
// eight places.

const polynomial = 0x82f63b78;
const placesPerStep = 8;
const tables = buildTables();

/**
 * Returns the CRC-32C of bytes[start, end) as an unsigned 32-bit number. The seed is mixed in
 * first, so that a value stored elsewhere (a record's length) is covered too; 0 gives the plain
 * checksum.
 */
export function crc32c(bytes: Uint8Array, start: number, end: number, seed = 0): number {
  return (continueCrc32c(~seed, bytes, start, end) ^ -1) >>> 0;
}

/** One step of a checksum over several pieces: start from -1, end with `(state ^ -1) >>> 0`. */
export function continueCrc32c(
  state: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const table = tables;
  let crc = state;
  let at = start;
  for (const stop = end - (placesPerStep - 1); at < stop; at += placesPerStep) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      table[1792 + (crc & 255)]! ^
      table[1536 + ((crc >>> 8) & 255)]! ^
      table[1280 + ((crc >>> 16) & 255)]! ^
      table[1024 + (crc >>> 24)]! ^
      table[768 + bytes[at + 4]!]! ^
      table[512 + bytes[at + 5]!]! ^
      table[256 + bytes[at + 6]!]! ^
      table[bytes[at + 7]!]!;
  }
  for (; at < end; at += 1) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return crc;
}

function buildTables(): Int32Array {
  const built = new Int32Array(256 * placesPerStep);
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    built[byte] = crc;
  }
  for (let at = 256; at < built.length; at += 1) {
    const previous = built[at - 256]!;
    built[at] = built[previous & 255]! ^ (previous >>> 8);
  }
  return built;
}
