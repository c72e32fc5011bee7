import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText, sentenceLength } from '../../text/foreign.ts';
import { Check, Form, get, isChecked } from './operator-form.tsx';
import { write } from './write.ts';

type Halt = Answer<'GET /api/v1/admin/chain/halts'>['items'][number];

const columns: readonly Column<Halt>[] = [
  { title: texts.halt, cell: (each) => each.id, text: (each) => each.id },
  {
    title: texts.kind,
    cell: (each) => each.kind.replaceAll('_', ' '),
    text: (each) => each.kind,
  },
  {
    title: texts.reason,
    cell: (each) => <span class="wrap">{foreignText(each.detail, sentenceLength)}</span>,
    text: (each) => each.detail,
  },
  {
    title: texts.since,
    cell: (each) => formatMoment(each.raised_at),
    text: (each) => each.raised_at,
  },
  { title: texts.by, cell: (each) => each.raised_by, text: (each) => each.raised_by },
];

async function clear(): Promise<void> {
  const id = get('halt-id');
  const approvals = [get('halt-approval-1'), get('halt-approval-2')].filter((each) => each !== '');
  await write(texts.clearHaltAction(id), () =>
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
  const text = isWithContracts ? texts.stopSigningAndPauseAction : texts.stopSigningAction;
  await write(text, () => api.call('POST /api/v1/admin/chain/halts', { body }), 'halt');
  refresh('GET /api/v1/admin/chain/halts', 'GET /api/v1/admin/chain/contract-pauses');
}

/** Lists what keeps the service from signing. */
export function Halts() {
  const query = useApi('GET /api/v1/admin/chain/halts', {}, { every: 10_000 });
  return (
    <>
      <ListPanel
        title={texts.haltsOfSigning}
        name="halts"
        query={query}
        rowsOf={({ items }) => items}
        columns={columns}
        keyOf={(each) => each.id}
        empty={texts.noHalts}
      />
      <Form
        title={texts.haltSigning}
        names={[['halt-reason', texts.reason]]}
        action={texts.halt}
        onSubmit={raise}
      >
        <Check name="halt-contracts" label={texts.alsoPauseContracts} />
      </Form>
      <Form
        title={texts.clearOneHalt}
        names={[
          ['halt-id', texts.haltNumber],
          ['halt-why', texts.reason],
          ['halt-approval-1', texts.firstApprovalMainNetwork],
          ['halt-approval-2', texts.secondApprovalMainNetwork],
        ]}
        action={texts.clear}
        onSubmit={clear}
      />
    </>
  );
}
