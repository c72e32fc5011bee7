// Money, prices and rates are whole numbers of their smallest unit, so every division rounds, in a
// direction that a rule prescribes. A plain `/` on bigints rounds towards zero.
//
// The functions that end in 64 compute within 64-bit integers, which V8 keeps in registers as long
// as every step is wrapped in BigInt.asIntN(64, ...); the others allocate.

/** The quotient rounded towards positive infinity. The divisor is positive. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return dividend > 0n ? (dividend + divisor - 1n) / divisor : dividend / divisor;
}

/** The quotient rounded towards negative infinity. The divisor is positive. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  return dividend < 0n ? (dividend - divisor + 1n) / divisor : dividend / divisor;
}

/** `ceilDivide` for a dividend that is not negative, and whose sum with the divisor fits. */
export function ceilDivide64(dividend: bigint, divisor: bigint): bigint {
  const whole = BigInt.asIntN(64, divisor);
  const sum = BigInt.asIntN(64, BigInt.asIntN(64, dividend) + whole);
  return BigInt.asIntN(64, BigInt.asIntN(64, sum - 1n) / whole);
}

/**
 * value x numerator / denominator, rounded up; none is negative. The product is taken in two parts,
 * so it may exceed 64 bits as long as the result and numerator x denominator fit.
 */
export function scaleUp64(value: bigint, numerator: bigint, denominator: bigint): bigint {
  const size = BigInt.asIntN(64, value);
  const factor = BigInt.asIntN(64, numerator);
  const divisor = BigInt.asIntN(64, denominator);
  const units = BigInt.asIntN(64, size / divisor);
  const rest = BigInt.asIntN(64, size % divisor);
  const ofUnits = BigInt.asIntN(64, units * factor);
  return BigInt.asIntN(64, ofUnits + ceilDivide64(BigInt.asIntN(64, rest * factor), divisor));
}
