import { type Rate, rateOne } from './futures-market.ts';
import { scaleUp64 } from './rounding.ts';

/** Basis points in a whole. */
export const bpsPerWhole = 10_000n;
/** The highest trading fees of a market of each kind, in basis points. */
export const spotFeeBpsMax = 10_000;
export const futuresFeeBpsMax = 1_000;
/** One basis point as a `Rate`. */
const ratePerBps = rateOne / bpsPerWhole;

/** A whole number of basis points, exactly as a rate. */
export function rateFromBps(bps: number): Rate {
  return (BigInt(bps) * ratePerBps) as Rate;
}

/**
 * The fee on an amount at a rate from 0 to 1, in the amount's unit; rounded up, never in the
 * payer's favor. Computed within 64 bits for every amount that a balance can hold.
 */
export function feeOf(amount: bigint, rate: Rate): bigint {
  return scaleUp64(amount, rate, rateOne);
}
