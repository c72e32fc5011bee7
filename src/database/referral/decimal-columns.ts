import { assert } from '../../domain/assert.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { type MicroUsdt, microUsdtFromDecimal } from '../../domain/micro-usdt.ts';

/** Parses a numeric column, which arrives as plain decimal text. */
export function decimalOf(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `a numeric column holds a decimal: ${text}`);
  return value;
}

/** Parses a numeric column of whole 10^-6 USDT. */
export function microUsdtOf(text: string): MicroUsdt {
  const value = microUsdtFromDecimal(decimalOf(text));
  assert(value !== null, `a commission column holds whole 10^-6 of USDT: ${text}`);
  return value;
}
