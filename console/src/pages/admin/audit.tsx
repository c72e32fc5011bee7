import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Pager } from '../../parts/pager.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Row = Answer<'GET /api/v1/admin/audit'>['items'][number];

const page = signal(1);
const pageSize = 50;

const detailText = ({ detail }: Row): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const columns: readonly Column<Row>[] = [
  { title: 'Time', cell: (row) => formatMoment(row.created_at), text: (row) => row.created_at },
  { title: 'What', cell: (row) => row.action.replaceAll('_', ' '), text: (row) => row.action },
  {
    title: 'With',
    cell: (row) => <span class="wrap">{detailText(row)}</span>,
    text: (row) => JSON.stringify(row.detail),
  },
  { title: 'Who', cell: (row) => row.actor, text: (row) => row.actor },
  {
    title: 'Command',
    isNumber: true,
    cell: (row) => row.sequence ?? '–',
    text: (row) => row.sequence,
  },
];

/** Every admin write, newest first. */
export function Audit() {
  const query = useApi(
    'GET /api/v1/admin/audit',
    { query: { page: page.value, page_size: pageSize } },
    { every: 10_000 },
  );
  const load = () => readByNumber((each) => api.call('GET /api/v1/admin/audit', { query: each }));
  return (
    <section class="panel" aria-label="Audit">
      <header>
        <h2>What was administered</h2>
        <CsvButton name="audit" columns={columns} rows={query.data?.items ?? []} load={load} />
      </header>
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <Table
              caption="What was administered"
              columns={columns}
              rows={items}
              keyOf={(row) => row.id}
              empty="Nothing was administered yet."
            />
            <Pager page={page} pageSize={pageSize} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}
