import { assert } from '../domain/assert.ts';
import type { Address } from '../domain/identifiers.ts';

/** The stored numbers of a union's members; a number keeps its meaning once it is used. */
export interface CodeTable<Value extends string> {
  readonly codes: Readonly<Record<Value, number>>;
  readonly values: readonly (Value | undefined)[];
}

export function codeTable<Value extends string>(
  codes: Readonly<Record<Value, number>>,
): CodeTable<Value> {
  const values: (Value | undefined)[] = [];
  for (const [value, code] of Object.entries<number>(codes)) {
    assert(values[code] === undefined, `code ${code} is given twice`);
    values[code] = value as Value;
  }
  return { codes, values };
}

/**
 * The fields of a record in their written order. Over a writer each call writes the value and
 * returns it; over a reader it ignores the value (undefined) and returns what it read. One walk
 * through the fields therefore serves both directions, and the two can never differ.
 */
export interface FieldStream {
  /** A whole number from 0 to 2^53 - 1. */
  integer<Value extends number>(value: Value | undefined): Value;
  nullableInteger<Value extends number>(value: Value | null | undefined): Value | null;
  /** Any whole number of at most 127 bytes. */
  bigint<Value extends bigint>(value: Value | undefined): Value;
  nullableBigint<Value extends bigint>(value: Value | null | undefined): Value | null;
  /** Any text, including text that is not well-formed Unicode. */
  text(value: string | undefined): string;
  nullableText(value: string | null | undefined): string | null;
  address(value: Address | undefined): Address;
  code<Value extends string>(table: CodeTable<Value>, value: Value | undefined): Value;
}

/** The bytes are not a record of this version, although their checksum is correct. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
}

export const absent = 0;
export const present = 1;
/** Marks the sign in the byte that holds the number of bytes of a bigint. */
export const negativeFlag = 0x80;
export const addressBytes = 20;
