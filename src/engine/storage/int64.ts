// Balances are columns of 64-bit integers. Arithmetic on them stays in machine registers as long as
// every step is wrapped in BigInt.asIntN(64, ...) and no value is made by BigInt(number), which
// allocates. Adding 1.5 x 2^52 to a double leaves the whole number in its low bits, from which it
// is read as an integer.

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);
const shift = 6_755_399_441_055_744;
const shiftBits = 0x4338_0000_0000_0000n;
/** Below this, `int64` allocates nothing. */
export const smallMax = 2_251_799_813_685_248;

/** A whole number from 0 to 2^53 as a 64-bit integer, without allocation below 2^51. */
export function int64(value: number): bigint {
  if (value < smallMax) {
    float[0] = value + shift;
    return BigInt.asIntN(64, (bits[0] as bigint) - shiftBits);
  }
  return BigInt.asIntN(64, BigInt(value));
}

/** A longer copy of a column, at least twice as long and padded with zeros. */
export function grownInts(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(length, column.length * 2));
  grown.set(column);
  return grown;
}

/** The same for a column of 64-bit integers. */
export function grownBigInts(column: BigInt64Array, length: number): BigInt64Array<ArrayBuffer> {
  const grown = new BigInt64Array(Math.max(length, column.length * 2));
  grown.set(column);
  return grown;
}

/** The same for a column of numbers. */
export function grownFloats(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.max(length, column.length * 2));
  grown.set(column);
  return grown;
}
