import { type Amount, amountScale, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import { type Decimal, formatScaled } from './decimal.ts';

/** Money as the reward contract counts it: 10^-6 USDT. Commission is kept in nothing finer. */
export type MicroUsdt = Brand<bigint, 'MicroUsdt'>;

export const microUsdtScale = 6;
export const zeroMicroUsdt = 0n as MicroUsdt;

const amountUnitsPerMicro = 10n ** BigInt(amountScale - microUsdtScale);
const decimalUnitsPerMicro = 10n ** 12n;

/** The one constructor from a bare integer of 10^-6 USDT. */
export function toMicroUsdt(units: bigint): MicroUsdt {
  return units as MicroUsdt;
}

/** The amount in the contract's unit, rounded down; the remainder stays with the house. */
export function microUsdtFromAmount(amount: Amount): MicroUsdt {
  return (amount / amountUnitsPerMicro) as MicroUsdt;
}

export function amountFromMicroUsdt(amount: MicroUsdt): Amount {
  return toAmount(amount * amountUnitsPerMicro);
}

/** The decimal in the contract's unit, or null where it has more than 6 decimals. */
export function microUsdtFromDecimal(value: Decimal): MicroUsdt | null {
  if (value % decimalUnitsPerMicro !== 0n) return null;
  return (value / decimalUnitsPerMicro) as MicroUsdt;
}

/** Plain decimal text in USDT. */
export function formatMicroUsdt(amount: MicroUsdt): string {
  return formatScaled(amount, microUsdtScale);
}
