import { type ArrayParameter, integerArray, plainArray, quotedArray } from './array-parameters.ts';
import { CopyText } from './copy-text.ts';
import { timestampFrom } from './projections/timestamps.ts';
import type { CopyStatement, Statement } from './projector/statement-queue.ts';

// A batch of rows is sent to the server as one statement with one array per column. The columns are
// declared once, each with the value that it takes from a row.

/** One column of a batch of rows. */
export interface BatchColumn<R> {
  readonly name: string;
  /** PostgreSQL's type of the array elements. */
  readonly type: string;
  /** SQL that computes the column's value from its element. */
  readonly select: string;
  readonly encode: (rows: readonly R[]) => ArrayParameter;
  /** Writes the value of one row for COPY. */
  readonly copy: (row: R, text: CopyText) => void;
  /** Whether the row has the table's default here, so that COPY can omit it. */
  readonly isUsual?: (row: R) => boolean;
}

/** A non-negative whole number, never null. */
export function integerColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => integerArray(rows.map(of));
  const copy = (row: R, text: CopyText): void => text.integer(of(row));
  return { name, type: 'bigint', select: name, encode, copy };
}

/** A whole number of either sign, or null. */
export function signedColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  const isUsual = (row: R): boolean => of(row) === null;
  return { ...wordColumn<R>(name, (row) => of(row)?.toString() ?? null), type: 'bigint', isUsual };
}

/** A moment in milliseconds since 1970. */
export function timeColumn<R>(name: string, of: (row: R) => number): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => integerArray(rows.map(of));
  const copy = (row: R, text: CopyText): void => text.time(of(row));
  return { name, type: 'bigint', select: timestampFrom(name), encode, copy };
}

export function optionalTimeColumn<R>(name: string, of: (row: R) => number | null): BatchColumn<R> {
  const copy = (row: R, text: CopyText): void => {
    const time = of(row);
    if (time === null) text.null();
    else text.time(time);
  };
  return { ...signedColumn(name, of), select: timestampFrom(name), copy };
}

/** Internal words without blanks and quotes; `usual` is the table's default. */
export function wordColumn<R>(
  name: string,
  of: (row: R) => string | null,
  usual?: string | null,
): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => plainArray(rows.map(of));
  const copy = (row: R, text: CopyText): void => {
    const word = of(row);
    if (word === null) text.null();
    else text.word(word);
  };
  const isUsual = (row: R): boolean => of(row) === usual;
  const column = { name, type: 'text', select: name, encode, copy };
  return usual === undefined ? column : { ...column, isUsual };
}

export function numberColumn<R>(
  name: string,
  of: (row: R) => string | null,
  usual?: null,
): BatchColumn<R> {
  return { ...wordColumn(name, of, usual), type: 'numeric' };
}

export function flagColumn<R>(
  name: string,
  of: (row: R) => boolean,
  usual?: boolean,
): BatchColumn<R> {
  const word = (value: boolean): string => (value ? 't' : 'f');
  const commonText = usual === undefined ? undefined : word(usual);
  return { ...wordColumn<R>(name, (row) => word(of(row)), commonText), type: 'boolean' };
}

/** Text that came from outside. */
export function textColumn<R>(name: string, of: (row: R) => string | null): BatchColumn<R> {
  const encode = (rows: readonly R[]): ArrayParameter => quotedArray(rows.map(of));
  const copy = (row: R, text: CopyText): void => {
    const value = of(row);
    if (value === null) text.null();
    else text.text(value);
  };
  return { name, type: 'text', select: name, encode, copy };
}

export interface BatchInsertOptions<R> {
  readonly table: string;
  readonly columns: readonly BatchColumn<R>[];
  /** The clause after ON CONFLICT; without it a second row with the same key is an error. */
  readonly onConflict?: string;
}

/** Builds the statements that write rows of one table, in the order in which they are given. */
export class BatchInsert<R> {
  readonly #name: string;
  readonly #text: string;
  readonly #columns: readonly BatchColumn<R>[];
  readonly #wholeCopy: CopyRows<R>;
  readonly #usualCopy: CopyRows<R>;

  constructor({ table, columns, onConflict }: BatchInsertOptions<R>) {
    const names = namesOf(columns);
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    this.#columns = columns;
    this.#name = `insert-${table}`;
    this.#wholeCopy = new CopyRows(table, columns);
    this.#usualCopy = new CopyRows(
      table,
      columns.filter(({ isUsual }) => isUsual === undefined),
    );
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

  /**
   * For rows that are certainly new: this halves the server's work, but does not allow a second row
   * with the same key. Rows that have the default in every column that can be omitted go into a
   * separate COPY without these columns.
   */
  copies(rows: readonly R[]): readonly CopyStatement[] {
    const usual: R[] = [];
    const others: R[] = [];
    for (const row of rows) {
      if (this.#isUsual(row)) usual.push(row);
      else others.push(row);
    }
    const copies: CopyStatement[] = [];
    if (usual.length > 0) copies.push(this.#usualCopy.statement(usual));
    if (others.length > 0) copies.push(this.#wholeCopy.statement(others));
    return copies;
  }

  #isUsual(row: R): boolean {
    for (const { isUsual } of this.#columns) {
      if (isUsual !== undefined && !isUsual(row)) return false;
    }
    return true;
  }
}

const copyBytesMin = 4_096;

/** Builds the COPY of some columns of a table. */
class CopyRows<R> {
  readonly #text: string;
  readonly #columns: readonly BatchColumn<R>[];
  // The next batch is about as large as this one.
  #bytesExpected = copyBytesMin;

  constructor(table: string, columns: readonly BatchColumn<R>[]) {
    this.#text = `COPY ${table} (${namesOf(columns)}) FROM STDIN`;
    this.#columns = columns;
  }

  statement(rows: readonly R[]): CopyStatement {
    const text = new CopyText(this.#bytesExpected);
    for (const row of rows) {
      for (const { copy } of this.#columns) {
        copy(row, text);
        text.endField();
      }
      text.endRow();
    }
    const { data } = text;
    this.#bytesExpected = Math.max(copyBytesMin, 2 * data.length);
    return { text: this.#text, data };
  }
}

function namesOf<R>(columns: readonly BatchColumn<R>[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** The part of ON CONFLICT that sets columns to the batch's values. */
export function replaceColumns(...names: readonly string[]): string {
  return `DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}
