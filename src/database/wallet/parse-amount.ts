import { type Amount, amountFromDecimal } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { parseDecimal } from '../../domain/decimal.ts';

/** Parses an amount that `formatAmount` wrote, as the database returns it. */
export function parseAmount(text: string): Amount {
  const decimal = parseDecimal(text);
  const amount = decimal === null ? null : amountFromDecimal(decimal);
  assert(amount !== null, 'a stored amount has at most 8 decimals');
  return amount;
}
