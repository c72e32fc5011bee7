import { type Amount, amountScale } from '../../domain/amount.ts';
import type { Brand } from '../../domain/brand.ts';
import { type Decimal, formatScaled } from '../../domain/decimal.ts';

/**
 * Points, counted in 10^-8 of a point: as fine as money, so that one USDT of fee is one point
 * without rounding. What a rule cannot express in this unit is rounded down.
 */
export type Points = Brand<bigint, 'Points'>;

export const zeroPoints = 0n as Points;
const unitsPerPoint = 10n ** BigInt(amountScale);
const decimalUnits = 10n ** 10n;

/** The one constructor from a bare integer of 10^-8 points. */
export function toPoints(units: bigint): Points {
  return units as Points;
}

/** What an amount of USDT is in points where one USDT is one point. */
export function pointsFromAmount(amount: Amount): Points {
  return toPoints(amount);
}

/** The decimal as points, or null where it has more than 8 decimals. */
export function pointsFromDecimal(value: Decimal): Points | null {
  return value % decimalUnits === 0n ? toPoints(value / decimalUnits) : null;
}

/** Plain decimal text. */
export function formatPoints(points: Points): string {
  return formatScaled(points, amountScale);
}

/** Whole points, rounded down; points must not be negative. */
export function wholePoints(points: Points): bigint {
  return points / unitsPerPoint;
}
