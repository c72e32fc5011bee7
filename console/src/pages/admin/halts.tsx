import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import { Check, Form, get, isChecked } from './operator-form.tsx';
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
    title: 'Reason',
    cell: (each) => <span class="wrap">{each.detail}</span>,
    text: (each) => each.detail,
  },
  { title: 'Since', cell: (each) => formatMoment(each.raised_at), text: (each) => each.raised_at },
  { title: 'By', cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function clear(): Promise<void> {
  const id = get('halt-id');
  const approvals = [get('halt-approval-1'), get('halt-approval-2')].filter((each) => each !== '');
  await write(`Clear halt ${id}.`, () =>
    api.call('POST /api/v1/admin/chain/halts/:id/clear', {
      params: { id },
      body: { reason: get('halt-why'), ...(approvals.length === 0 ? {} : { approvals }) },
    }),
  );
  refresh('GET /api/v1/admin/chain/halts');
}

async function raise(): Promise<void> {
  const isWithContracts = isChecked('halt-contracts');
  const body = { reason: get('halt-reason'), pause_contract: isWithContracts };
  const text = isWithContracts
    ? 'Stop signing claims and withdrawals, and pause the contracts, which only the council undoes.'
    : 'Stop signing claims and withdrawals.';
  await write(text, () => api.call('POST /api/v1/admin/chain/halts', { body }), 'halt');
  refresh('GET /api/v1/admin/chain/halts', 'GET /api/v1/admin/chain/contract-pauses');
}

/** Lists what keeps the service from signing. */
export function Halts() {
  const query = useApi('GET /api/v1/admin/chain/halts', {}, { every: 10_000 });
  return (
    <>
      <ListPanel
        title="Halts of signing"
        name="halts"
        query={query}
        rowsOf={({ items }) => items}
        columns={columns}
        keyOf={(each) => each.id}
        empty="No halts. Claims and withdrawals are signed."
      />
      <Form title="Halt signing" names={[['halt-reason', 'Reason']]} action="Halt" onSubmit={raise}>
        <Check name="halt-contracts" label="Also pause the contracts" />
      </Form>
      <Form
        title="Clear a halt"
        names={[
          ['halt-id', 'Halt number'],
          ['halt-why', 'Reason'],
          ['halt-approval-1', 'First approval (main network)'],
          ['halt-approval-2', 'Second approval (main network)'],
        ]}
        action="Clear"
        onSubmit={clear}
      />
    </>
  );
}
