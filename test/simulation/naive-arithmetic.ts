import type { Amount } from '../../src/domain/amount.ts';

// What the twins and the rules compute with, written once more: an oracle that computed with the
// functions of the exchange would share their mistakes.

export const naiveAmountMax = 9_223_372_036_854_775_807n;
export const naiveOrdersMax = 1_000;
export const naiveCanceledMax = 256;
/** How many resting orders one order trades with, and how many of them it looks at before. */
export const naiveMakersMax = 10_000;
export const naiveSeenMax = 1_000;
const bpsOne = 10_000n;
const oneToken = 10n ** 8n;
const decimalOne = 10n ** 18n;

/** The fee on what a trade brings, rounded up. */
export function naiveFee(received: bigint, bps: number): Amount {
  return ((received * BigInt(bps) + bpsOne - 1n) / bpsOne) as Amount;
}

export interface NaiveUnits {
  readonly lotAmount: Amount;
  readonly tickLotAmount: Amount;
}

/**
 * The money of a lot and of a lot at one tick; null if one of them is not a whole number of units.
 */
export function naiveUnits(tickSize: bigint, lotSize: bigint): NaiveUnits | null {
  if (tickSize <= 0n || lotSize <= 0n) return null;
  const isLotWhole = (lotSize * oneToken) % decimalOne === 0n;
  const isTickLotWhole = (tickSize * lotSize * oneToken) % (decimalOne * decimalOne) === 0n;
  if (!isLotWhole || !isTickLotWhole) return null;
  return {
    lotAmount: ((lotSize * oneToken) / decimalOne) as Amount,
    tickLotAmount: ((tickSize * lotSize * oneToken) / (decimalOne * decimalOne)) as Amount,
  };
}
