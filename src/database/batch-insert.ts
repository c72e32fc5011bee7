import { type ArrayParameter, integerArray, plainArray, quotedArray } from './array-parameters.ts';
import { timestampFrom } from './projections/timestamps.ts';
import type { CopyStatement, Statement } from './projector/statement-queue.ts';

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
  /** The value of one row in the text form of COPY. */
  readonly copy: (row: R) => string;
}

/** A whole number that is never negative and never null. */
export function integerColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => integerArray(rows.map(of));
  return { name, type: 'bigint', select: name, encode, copy: (row) => String(of(row)) };
}

export function signedColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  return { ...wordColumn<R>(name, (row) => of(row)?.toString() ?? null), type: 'bigint' };
}

/** A moment in milliseconds since 1970. */
export function timeColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => integerArray(rows.map(of));
  const copy = (row: R): string => copiedTime(of(row));
  return { name, type: 'bigint', select: timestampFrom(name), encode, copy };
}

export function optionalTimeColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  const copy = (row: R): string => {
    const time = of(row);
    return time === null ? copiedNull : copiedTime(time);
  };
  return { ...signedColumn(name, of), select: timestampFrom(name), copy };
}

/** Words of our own making: without blanks and quotes. */
export function wordColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => plainArray(rows.map(of));
  return { name, type: 'text', select: name, encode, copy: (row) => of(row) ?? copiedNull };
}

export function numberColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  return { ...wordColumn(name, of), type: 'numeric' };
}

export function flagColumn<R>(name: string, of: (row: R) => boolean): BatchColumn<R> {
  return { ...wordColumn<R>(name, (row) => String(of(row))), type: 'boolean' };
}

/** Text that came from outside. */
export function textColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => quotedArray(rows.map(of));
  const copy = (row: R): string => copiedText(of(row));
  return { name, type: 'text', select: name, encode, copy };
}

const copiedNull = '\\N';

function copiedText(value: string | null): string {
  return value === null ? copiedNull : value.replace(/[\\\n\r\t]/g, escapeCopied);
}

function escapeCopied(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    default:
      return `\\${character}`;
  }
}

let lastTime = -1;
let lastTimeText = '';

// The rows of a batch come from few different milliseconds.
function copiedTime(milliseconds: number): string {
  if (milliseconds !== lastTime) {
    lastTime = milliseconds;
    lastTimeText = new Date(milliseconds).toISOString();
  }
  return lastTimeText;
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
  readonly #copyText: string;
  readonly #columns: readonly BatchColumn<R>[];

  constructor({ table, columns, onConflict }: BatchInsertOptions<R>) {
    const names = columns.map(({ name }) => name).join(', ');
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    this.#columns = columns;
    this.#name = `insert-${table}`;
    this.#copyText = `COPY ${table} (${names}) FROM STDIN`;
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

  /** For rows that are new for certain: half of the server's work, but no second row of a key. */
  copy(rows: readonly R[]): CopyStatement {
    let data = '';
    for (const row of rows) {
      let separator = '';
      for (const { copy } of this.#columns) {
        data += separator + copy(row);
        separator = '\t';
      }
      data += '\n';
    }
    return { text: this.#copyText, data };
  }
}

/** The part of ON CONFLICT that sets columns to what the batch has for them. */
export function replaceColumns(...names: readonly string[]): string {
  return `DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
