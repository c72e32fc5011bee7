// Columns of a batch as array parameters for `unnest`, in the formats that are cheapest for driver
// and server: whole numbers in PostgreSQL's binary format, everything else in its text format,
// quoted only if it came from outside.

export type ArrayParameter = string | Buffer;

const int8TypeId = 20;
const headerBytes = 20;
const elementBytes = 12;
const highWordUnit = 2 ** 32;

/** A `bigint[]`; the values must be non-negative safe integers. */
export function integerArray(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + values.length * elementBytes);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(int8TypeId, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16); // the first index
  let offset = headerBytes;
  for (const value of values) {
    const high = Math.floor(value / highWordUnit);
    bytes.writeInt32BE(8, offset);
    bytes.writeInt32BE(high, offset + 4);
    bytes.writeUInt32BE(value - high * highWordUnit, offset + 8);
    offset += elementBytes;
  }
  return bytes;
}

/**
 * For values without blanks, quotes, commas, braces and backslashes, none of them the word `null`.
 */
export function plainArray(values: readonly (string | null)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ',';
    text += values[index] ?? 'NULL';
  }
  return `${text}}`;
}

/** For text that came from outside. */
export function quotedArray(values: readonly (string | null)[]): string {
  return plainArray(values.map((value) => (value === null ? null : quote(value))));
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
