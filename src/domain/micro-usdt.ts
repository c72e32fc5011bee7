import { type Amount, amountScale, toAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import { type Decimal, formatScaled } from './decimal.ts';

/** Money in the unit of the reward contract, 10^-6 USDT, which is also the unit of commission. */
export type MicroUsdt = Brand<bigint, 'MicroUsdt'>;

const microUsdtScale = 6;
export const zeroMicroUsdt = 0n as MicroUsdt;

const amountUnitsPerMicro = 10n ** BigInt(amountScale - microUsdtScale);
const decimalUnitsPerMicro = 10n ** 12n;

/** Makes a MicroUsdt of a bare integer of 10^-6 USDT; the only constructor. */
export function toMicroUsdt(units: bigint): MicroUsdt {
  return units as MicroUsdt;
}

/** Converts an amount of USDT, rounded down; the remainder stays with the exchange. */
export function microUsdtFromAmount(amount: Amount): MicroUsdt {
  return (amount / amountUnitsPerMicro) as MicroUsdt;
}

/** Converts to an amount of USDT; exact. */
export function amountFromMicroUsdt(amount: MicroUsdt): Amount {
  return toAmount(amount * amountUnitsPerMicro);
}

/** Converts a decimal; null if it has more than 6 decimals. */
export function microUsdtFromDecimal(value: Decimal): MicroUsdt | null {
  if (value % decimalUnitsPerMicro !== 0n) return null;
  return (value / decimalUnitsPerMicro) as MicroUsdt;
}

/** Plain decimal text in whole USDT. */
export function formatMicroUsdt(amount: MicroUsdt): string {
  return formatScaled(amount, microUsdtScale);
}
