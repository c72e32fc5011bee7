import { type ArrayParameter, integerArray, plainArray, quotedArray } from './array-parameters.ts';
import { timestampFrom } from './projections/timestamps.ts';
import type { Statement } from './projector/statement-queue.ts';

// A batch of rows goes to the server as one statement with an array a column. The columns are
// written down once, each with what it takes of a row.

/** One column of a batch of rows. */
export interface BatchColumn<R> {
  readonly name: string;
  /** The type of the array's elements for PostgreSQL. */
  readonly type: string;
  /** SQL that makes the column's value of its element. */
  readonly select: string;
  readonly encode: (rows: readonly R[]) => ArrayParameter;
}

/** A whole number that is never negative and never null. */
export function integerColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  return { name, type: 'bigint', select: name, encode: (rows) => integerArray(rows.map(of)) };
}

export function signedColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  const text = (row: R): string | null => of(row)?.toString() ?? null;
  return { name, type: 'bigint', select: name, encode: (rows) => plainArray(rows.map(text)) };
}

/** A moment in milliseconds since 1970. */
export function timeColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => integerArray(rows.map(of));
  return { name, type: 'bigint', select: timestampFrom(name), encode };
}

export function optionalTimeColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  return { ...signedColumn(name, of), select: timestampFrom(name) };
}

/** Words of our own making: without blanks and quotes. */
export function wordColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  return { name, type: 'text', select: name, encode: (rows) => plainArray(rows.map(of)) };
}

export function numberColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  return { ...wordColumn(name, of), type: 'numeric' };
}

export function flagColumn<R>(name: string, of: (row: R) => boolean): BatchColumn<R> {
  return { ...wordColumn<R>(name, (row) => String(of(row))), type: 'boolean' };
}

/** Text that came from outside. */
export function textColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  return { name, type: 'text', select: name, encode: (rows) => quotedArray(rows.map(of)) };
}

export interface BatchInsertOptions<R> {
  readonly table: string;
  readonly columns: readonly BatchColumn<R>[];
  /** What follows ON CONFLICT; without it a second row of one key is an error. */
  readonly onConflict?: string;
}

/** Makes the statements that write rows of one table, in the order in which they are given. */
export class BatchInsert<R> {
  readonly #name: string;
  readonly #text: string;
  readonly #columns: readonly BatchColumn<R>[];

  constructor({ table, columns, onConflict }: BatchInsertOptions<R>) {
    const names = columns.map(({ name }) => name).join(', ');
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    this.#columns = columns;
    this.#name = `insert-${table}`;
    this.#text = `INSERT INTO ${table} AS row (${names})
      SELECT ${columns.map(({ select }) => select).join(', ')}
      FROM unnest(${arrays}) WITH ORDINALITY AS batch (${names}, place)
      ORDER BY place
      ${onConflict === undefined ? '' : `ON CONFLICT ${onConflict}`}`;
  }

  statement(rows: readonly R[]): Statement {
    const values = this.#columns.map(({ encode }) => encode(rows));
    return { name: this.#name, text: this.#text, values };
  }
}

/** The part of ON CONFLICT that sets columns to what the batch has for them. */
export function replaceColumns(...names: readonly string[]): string {
  return `DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
