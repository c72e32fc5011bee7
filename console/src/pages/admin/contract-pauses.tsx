import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText, sentenceLength } from '../../text/foreign.ts';

type Pause = Answer<'GET /api/v1/admin/chain/contract-pauses'>['items'][number];

const columns: readonly Column<Pause>[] = [
  { title: texts.pause, cell: (each) => each.id, text: (each) => each.id },
  { title: texts.contract, cell: (each) => each.contract, text: (each) => each.contract },
  { title: texts.halt, cell: (each) => each.halt_id ?? '–', text: (each) => each.halt_id },
  {
    title: texts.reason,
    cell: (each) => <span class="wrap">{foreignText(each.reason ?? '–', sentenceLength)}</span>,
    text: (each) => each.reason,
  },
  {
    title: texts.since,
    cell: (each) => formatMoment(each.requested_at),
    text: (each) => each.requested_at,
  },
  { title: texts.by, cell: (each) => each.requested_by, text: (each) => each.requested_by },
  {
    title: texts.status,
    cell: (each) => <span class="tag">{each.state}</span>,
    text: (each) => each.state,
  },
  {
    title: texts.transaction,
    cell: (each) => <ChainLink to="tx" value={each.tx_hash} isShort />,
    text: (each) => each.tx_hash,
  },
];

/** The pauses of contracts that the guardian was asked for, newest first. */
export function ContractPauses() {
  return (
    <ListPanel
      title={texts.pausesOfContracts}
      name="contract-pauses"
      query={useApi('GET /api/v1/admin/chain/contract-pauses', {}, { every: 10_000 })}
      rowsOf={({ items }) => items}
      columns={columns}
      keyOf={(each) => each.id}
      empty={texts.noPausesOfContracts}
    />
  );
}
