import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import type { TimestampMs } from '../domain/identifiers.ts';

/** Parses a numeric column, which arrives as plain decimal text. */
export function decimalOf(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `a numeric column holds a decimal: ${text}`);
  return value;
}

/** A time column as milliseconds since 1970; null if it has none. */
export function timeOf(date: Date | null): TimestampMs | null {
  return date === null ? null : (date.getTime() as TimestampMs);
}
