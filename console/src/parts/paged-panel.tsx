import type { Signal } from '@preact/signals';
import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import type { ListProps } from './paged-list.tsx';
import { Pager } from './pager.tsx';
import { CsvButton, Loaded, Table } from './table.tsx';

interface Paged<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export interface PagedPanelProps<Row> extends ListProps<Row> {
  readonly title: string;
  readonly query: QueryObserverResult<Paged<Row>>;
  readonly page: Signal<number>;
  readonly pageSize: number;
  /** Shown between the title and the table. */
  readonly children?: ComponentChildren;
}

/** A list of numbered pages with its title, and the whole of it as CSV. */
export function PagedPanel<Row>(props: PagedPanelProps<Row>) {
  const { title, name, query, columns, keyOf, empty, load, page, pageSize, children } = props;
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CsvButton name={name} columns={columns} rows={query.data?.items ?? []} load={load} />
      </header>
      {children}
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <Table caption={title} columns={columns} rows={items} keyOf={keyOf} empty={empty} />
            <Pager page={page} pageSize={pageSize} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}
