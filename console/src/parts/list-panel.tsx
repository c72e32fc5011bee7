import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { type Column, CsvButton, Loaded, Table } from './table.tsx';

export interface ListPanelProps<Data, Row> {
  readonly title: string;
  /** The name of the CSV file. */
  readonly name: string;
  readonly query: QueryObserverResult<Data>;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ComponentChildren;
  /** Reads the whole list for the CSV file; absent: the answer is the whole list. */
  readonly load?: () => Promise<readonly Row[]>;
  /** Shown in the header. */
  readonly tools?: ComponentChildren;
}

/** A list that one answer holds, with its title, and as CSV. */
export function ListPanel<Data, Row>(props: ListPanelProps<Data, Row>) {
  const { title, name, query, rowsOf, columns, keyOf, empty, load, tools } = props;
  const rows = query.data === undefined ? [] : rowsOf(query.data);
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CsvButton
          name={name}
          columns={columns}
          rows={rows}
          {...(load === undefined ? {} : { load })}
        />
        {tools}
      </header>
      <Loaded query={query}>
        {() => <Table caption={title} columns={columns} rows={rows} keyOf={keyOf} empty={empty} />}
      </Loaded>
    </section>
  );
}
