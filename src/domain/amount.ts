import type { Brand } from './brand.ts';
import { type Decimal, formatScaled } from './decimal.ts';

/** Money of one token, counted in 10^-8 of it: the smallest unit that the engine knows. */
export type Amount = Brand<bigint, 'Amount'>;

export const amountScale = 8;
/** The largest amount a balance column holds; the engine refuses what would pass it. */
export const amountMax = ((1n << 63n) - 1n) as Amount;
export const zeroAmount = 0n as Amount;

const decimalsPerAmount = 10n ** 10n;

export type Rounding = 'down' | 'up';

export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The one constructor from a bare integer of 10^-8 units. */
export function toAmount(units: bigint): Amount {
  return units as Amount;
}

/** The decimal as an amount, or null where it has more than 8 decimals. */
export function amountFromDecimal(value: Decimal): Amount | null {
  if (value % decimalsPerAmount !== 0n) return null;
  return (value / decimalsPerAmount) as Amount;
}

export function formatAmount(amount: Amount): string {
  return formatScaled(amount, amountScale);
}

/** An amount times a rate; the only such product. Amount and ratio must not be negative. */
export function scaleAmount(amount: Amount, ratio: Ratio, rounding: Rounding): Amount {
  const product = amount * ratio.numerator;
  const quotient = product / ratio.denominator;
  const isExact = quotient * ratio.denominator === product;
  return (rounding === 'up' && !isExact ? quotient + 1n : quotient) as Amount;
}
