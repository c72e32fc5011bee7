/** Basis points in a whole. */
export const feeBpsMax = 10_000;

const bpsPerWhole = 10_000n;

/**
 * The fee on what one side of a trade receives, rounded up, never in the user's favor: equals
 * `scaleAmount(received, feeBps / 10000, 'up')`, computed within 64 bits.
 */
export function feeOf(received: bigint, feeBps: bigint): bigint {
  const whole = BigInt.asIntN(64, received / bpsPerWhole);
  const rest = BigInt.asIntN(64, received - BigInt.asIntN(64, whole * bpsPerWhole));
  const scaledRest = BigInt.asIntN(64, BigInt.asIntN(64, rest * feeBps) + bpsPerWhole - 1n);
  const restFee = BigInt.asIntN(64, scaledRest / bpsPerWhole);
  return BigInt.asIntN(64, BigInt.asIntN(64, whole * feeBps) + restFee);
}
