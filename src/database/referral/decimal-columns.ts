import { assert } from '../../domain/assert.ts';
import { type MicroUsdt, microUsdtFromDecimal } from '../../domain/micro-usdt.ts';
import { decimalOf } from '../column-values.ts';

/** Parses a numeric column of whole 10^-6 USDT. */
export function microUsdtOf(text: string): MicroUsdt {
  const value = microUsdtFromDecimal(decimalOf(text));
  assert(value !== null, `a commission column holds whole 10^-6 of USDT: ${text}`);
  return value;
}
