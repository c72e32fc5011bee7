import { type Amount, amountScale } from '../../domain/amount.ts';
import type { Brand } from '../../domain/brand.ts';
import { type Decimal, formatScaled } from '../../domain/decimal.ts';

/**
 * Points, counted in 10^-8 of a point. The unit is as fine as money, so that one USDT of fee is
 * exactly one point. Rules round down to this unit.
 */
export type Points = Brand<bigint, 'Points'>;

export const zeroPoints = 0n as Points;
const unitsPerPoint = 10n ** BigInt(amountScale);
const decimalUnits = 10n ** 10n;

/** Makes Points of a bare integer of 10^-8 points; the only constructor. */
export function toPoints(units: bigint): Points {
  return units as Points;
}

/** Converts an amount of USDT at one point per USDT; exact. */
export function pointsFromAmount(amount: Amount): Points {
  return toPoints(amount);
}

/** Converts a decimal; null if it has more than 8 decimals. */
export function pointsFromDecimal(value: Decimal): Points | null {
  return value % decimalUnits === 0n ? toPoints(value / decimalUnits) : null;
}

/** Plain decimal text in whole points. */
export function formatPoints(points: Points): string {
  return formatScaled(points, amountScale);
}

/** Whole points, rounded down; points must not be negative. */
export function wholePoints(points: Points): bigint {
  return points / unitsPerPoint;
}
