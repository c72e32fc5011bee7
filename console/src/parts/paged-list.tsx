import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import { ListEnd } from './list-end.tsx';
import { type Column, CsvButton, Loaded, Table } from './table.tsx';

/** The newest rows of a list, and where the next ones begin; null if there are no more. */
export type Page<Row> = { readonly items: readonly Row[] } & (
  | { readonly next_cursor: string | null }
  | { readonly next_offset: number | null }
);

/** What every list that is loaded in parts shows, and how its rows become a CSV file. */
export interface ListProps<Row> {
  /** The name of the CSV file. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown in place of rows while there are none. */
  readonly empty: ComponentChildren;
  /** Reads the whole list for the CSV file. */
  readonly load: () => Promise<readonly Row[]>;
}

export interface PagedListProps<Row> extends ListProps<Row> {
  readonly caption: string;
  readonly query: QueryObserverResult<Page<Row>>;
  /** From usePageSize. */
  readonly onMore: (() => void) | null;
  /** Shown beside the CSV button. */
  readonly tools?: ComponentChildren;
}

/** The newest rows of a list, more of them on demand, and the whole of it as CSV. */
export function PagedList<Row>(props: PagedListProps<Row>) {
  const { caption, name, query, columns, keyOf, empty, load, onMore, tools } = props;
  return (
    <Loaded query={query}>
      {(page) => (
        <>
          <Table
            caption={caption}
            columns={columns}
            rows={page.items}
            keyOf={keyOf}
            empty={empty}
          />
          <ListEnd
            count={page.items.length}
            isWhole={('next_cursor' in page ? page.next_cursor : page.next_offset) === null}
            onMore={onMore}
            csv={
              <>
                <CsvButton name={name} columns={columns} rows={page.items} load={load} />
                {tools}
              </>
            }
          />
        </>
      )}
    </Loaded>
  );
}
