import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shownErrorOf } from '../api/api.ts';
import { sayError } from '../feed/notices.ts';
import * as texts from '../text/en/frame.ts';
import { foreignText } from '../text/foreign.ts';
import { sentenceOf } from '../text/sentence.ts';
import type { WrittenColumn } from './csv-file.ts';
import { SendButton } from './send-button.tsx';

export interface Column<Row> extends WrittenColumn<Row> {
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

export interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown when there are no rows: a sentence, and the next step. */
  readonly empty: ComponentChildren;
}

/** Numbers and actions are right-aligned. */
function cellClass({ title, isNumber }: Pick<Column<never>, 'title' | 'isNumber'>): string {
  return isNumber === true || title === '' ? 'number' : '';
}

/** Texts of cells may come from anybody. */
function shownCell(cell: ComponentChildren): ComponentChildren {
  return typeof cell === 'string' ? foreignText(cell) : cell;
}

/** A table in a region that can be scrolled with the keyboard. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={cellClass(column)}>
                {column.title === '' ? <span class="hidden">{texts.actions}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={cellClass(column)}>
                  {shownCell(column.cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface CsvButtonProps<Row> {
  readonly name: string;
  readonly columns: readonly WrittenColumn<Row>[];
  readonly rows: readonly Row[];
  /** Reads the whole list; absent: the given rows are complete. */
  readonly load?: () => Promise<readonly Row[]>;
}

export function CsvButton<Row>({ name, columns, rows, load }: CsvButtonProps<Row>) {
  const [isLoading, setLoading] = useState(false);
  const save = async (): Promise<void> => {
    setLoading(true);
    try {
      const [{ saveCsv }, all] = await Promise.all([import('./csv-file.ts'), load?.() ?? rows]);
      saveCsv(name, columns, all);
    } catch (error) {
      sayError(error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <SendButton
      class="small plain"
      aria-label={texts.csvOf(name.replaceAll('-', ' '))}
      disabled={rows.length === 0 || isLoading}
      onClick={() => void save()}
    >
      {isLoading ? texts.reading : texts.csv}
    </SendButton>
  );
}

/** Shows a query's result: its rows, that they are loading, or what went wrong. */
export function Loaded<T>({
  query,
  children,
  waiting,
}: {
  query: QueryObserverResult<T>;
  children: (data: T) => ComponentChildren;
  /** Keeps the space of the data until it arrives. */
  waiting?: ComponentChildren;
}) {
  if (query.data !== undefined) {
    return (
      <>
        {query.error !== null && <Failed query={query} />}
        <div class={`loaded ${query.error === null ? '' : 'outdated'}`}>{children(query.data)}</div>
      </>
    );
  }
  if (query.error !== null) return <Failed query={query} />;
  return <>{waiting ?? <div class="skeleton" aria-busy="true" />}</>;
}

/** The number under which the service has logged the request, for a report of the error. */
export function RequestId({ id }: { id: string }) {
  return (
    <>
      <code> · {id}</code>{' '}
      <button
        type="button"
        class="small plain"
        aria-label={texts.copyRequestId}
        onClick={() => void navigator.clipboard.writeText(id)}
      >
        {texts.copy}
      </button>
    </>
  );
}

function Failed<T>({ query }: { query: QueryObserverResult<T> }) {
  const { code, detail, requestId } = shownErrorOf(query.error);
  return (
    <p class="empty" role="alert">
      {sentenceOf(code, detail)} <code>{code}</code>
      {requestId !== null && <RequestId id={requestId} />}{' '}
      <SendButton class="small" onClick={() => void query.refetch()}>
        {texts.tryAgain}
      </SendButton>
    </p>
  );
}
