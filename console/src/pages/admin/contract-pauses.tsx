import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatMoment, shortAddress } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';

type Pause = Answer<'GET /api/v1/admin/chain/contract-pauses'>['items'][number];

const columns: readonly Column<Pause>[] = [
  { title: 'Pause', cell: (each) => each.id, text: (each) => each.id },
  { title: 'Contract', cell: (each) => each.contract, text: (each) => each.contract },
  { title: 'Halt', cell: (each) => each.halt_id ?? '–', text: (each) => each.halt_id },
  {
    title: 'Reason',
    cell: (each) => <span class="wrap">{each.reason ?? '–'}</span>,
    text: (each) => each.reason,
  },
  {
    title: 'Since',
    cell: (each) => formatMoment(each.requested_at),
    text: (each) => each.requested_at,
  },
  { title: 'By', cell: (each) => each.requested_by, text: (each) => each.requested_by },
  {
    title: 'Status',
    cell: (each) => <span class="tag">{each.state}</span>,
    text: (each) => each.state,
  },
  {
    title: 'Transaction',
    cell: (each) => <code>{each.tx_hash === null ? '–' : shortAddress(each.tx_hash)}</code>,
    text: (each) => each.tx_hash,
  },
];

/** The pauses of contracts that the guardian was asked for, newest first. */
export function ContractPauses() {
  return (
    <ListPanel
      title="Pauses of contracts"
      name="contract-pauses"
      query={useApi('GET /api/v1/admin/chain/contract-pauses', {}, { every: 10_000 })}
      rowsOf={({ items }) => items}
      columns={columns}
      keyOf={(each) => each.id}
      empty="No pauses of contracts."
    />
  );
}
