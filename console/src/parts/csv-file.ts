import { csvText } from './csv-text.ts';

/** A column of a CSV file. */
export interface WrittenColumn<Row> {
  /** Empty: the column of the row's actions, which is the last one. */
  readonly title: string;
  /** Absent: the column is left out. */
  readonly text?: (row: Row) => string | number | null;
}

/** Saves rows as a CSV file, exactly as received from the service. */
export function saveCsv<Row>(
  name: string,
  columns: readonly WrittenColumn<Row>[],
  rows: readonly Row[],
): void {
  const written = columns.filter(({ text }) => text !== undefined);
  const lines = rows.map((row) => written.map(({ text }) => text?.(row) ?? null));
  const text = csvText([written.map(({ title }) => title), ...lines]);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
