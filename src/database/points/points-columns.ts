import { type Amount, amountFromDecimal } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { type Points, toPoints } from '../../programs/points/points.ts';
import { decimalOf } from '../column-values.ts';

export function amountOfColumn(text: string): Amount {
  const amount = amountFromDecimal(decimalOf(text));
  assert(amount !== null, `an amount has at most 8 decimals: ${text}`);
  return amount;
}

/** Points have as many decimals as amounts. */
export function pointsOfColumn(text: string): Points {
  return toPoints(amountOfColumn(text));
}
