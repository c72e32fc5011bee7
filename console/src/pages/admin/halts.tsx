import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

type Halt = Answer<'GET /api/v1/admin/chain/halts'>['items'][number];

const columns: readonly Column<Halt>[] = [
  { title: 'Halt', cell: (each) => each.id, text: (each) => each.id },
  {
    title: 'Kind',
    cell: (each) => each.kind.replaceAll('_', ' '),
    text: (each) => each.kind,
  },
  {
    title: 'Why',
    cell: (each) => <span class="wrap">{each.detail}</span>,
    text: (each) => each.detail,
  },
  { title: 'Since', cell: (each) => formatMoment(each.raised_at), text: (each) => each.raised_at },
  { title: 'By', cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function clear(): Promise<void> {
  const id = get('halt-id');
  const approvals = [get('halt-approval-1'), get('halt-approval-2')].filter((each) => each !== '');
  await write(`The halt ${id} is cleared.`, () =>
    api.call('POST /api/v1/admin/chain/halts/:id/clear', {
      params: { id },
      body: { reason: get('halt-why'), ...(approvals.length === 0 ? {} : { approvals }) },
    }),
  );
  refresh('GET /api/v1/admin/chain/halts');
}

async function raise(): Promise<void> {
  await write(
    'No claim and no withdrawal is signed from now on.',
    () => api.call('POST /api/v1/admin/chain/halts', { body: { reason: get('halt-reason') } }),
    'halt',
  );
  refresh('GET /api/v1/admin/chain/halts');
}

/** Lists what keeps the service from signing. */
export function Halts() {
  const query = useApi('GET /api/v1/admin/chain/halts', {}, { every: 10_000 });
  return (
    <>
      <section class="panel" aria-label="Halts of signing">
        <header>
          <h2>Halts of signing</h2>
          <CsvButton name="halts" columns={columns} rows={query.data?.items ?? []} />
        </header>
        <Loaded query={query}>
          {({ items }) => (
            <Table
              caption="Halts of signing"
              columns={columns}
              rows={items}
              keyOf={(each) => each.id}
              empty="None. Claims and withdrawals are signed."
            />
          )}
        </Loaded>
      </section>
      <Form title="Halt signing" names={[['halt-reason', 'Why']]} action="Halt" onSubmit={raise} />
      <Form
        title="Clear a halt"
        names={[
          ['halt-id', 'Halt'],
          ['halt-why', 'Why it may end'],
          ['halt-approval-1', 'Approval, where money is real'],
          ['halt-approval-2', 'Second approval'],
        ]}
        action="Clear"
        onSubmit={clear}
      />
    </>
  );
}
