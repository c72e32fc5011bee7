import { assert } from './assert.ts';
import type { Brand } from './brand.ts';
import { type Decimal, formatScaled, requireDecimal } from './decimal.ts';

/** Money of one token in the engine's smallest unit, 10^-8 of the token. */
export type Amount = Brand<bigint, 'Amount'>;

/** The number of decimals of an Amount. */
export const amountScale = 8;
/**
 * The largest amount that a balance column stores, 2^63 - 1. The engine rejects anything above it.
 */
export const amountMax = ((1n << 63n) - 1n) as Amount;
export const zeroAmount = 0n as Amount;

/** One unit of an Amount as a Decimal. */
export const decimalsPerAmount = 10n ** 10n;

/** Direction in which a product that is not exact is rounded: towards zero, or away from it. */
export type Rounding = 'down' | 'up';

/** A rate as a fraction; the denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Makes an Amount of a bare integer of 10^-8 units; the only constructor. */
export function toAmount(units: bigint): Amount {
  return units as Amount;
}

/** Converts a decimal to an amount; null if it has more than 8 decimals. */
export function amountFromDecimal(value: Decimal): Amount | null {
  if (value % decimalsPerAmount !== 0n) return null;
  return (value / decimalsPerAmount) as Amount;
}

/** The amount that a text is known to be, as in a constant. */
export function requireAmount(text: string): Amount {
  const amount = amountFromDecimal(requireDecimal(text));
  assert(amount !== null, `${text} is an amount`);
  return amount;
}

/** Plain decimal text in whole tokens, without trailing zeros. */
export function formatAmount(amount: Amount): string {
  return formatScaled(amount, amountScale);
}

/** Multiplies an amount by a rate; the only place that does. Neither may be negative. */
export function scaleAmount(amount: Amount, ratio: Ratio, rounding: Rounding): Amount {
  const product = amount * ratio.numerator;
  const quotient = product / ratio.denominator;
  const isExact = quotient * ratio.denominator === product;
  return (rounding === 'up' && !isExact ? quotient + 1n : quotient) as Amount;
}
