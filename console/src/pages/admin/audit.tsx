import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText, sentenceLength } from '../../text/foreign.ts';

type Row = Answer<'GET /api/v1/admin/audit'>['items'][number];

const page = signal(1);
const pageSize = 50;

const detailText = ({ detail }: Row): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const columns: readonly Column<Row>[] = [
  { title: texts.time, cell: (row) => formatMoment(row.created_at), text: (row) => row.created_at },
  {
    title: texts.action,
    cell: (row) => row.action.replaceAll('_', ' '),
    text: (row) => row.action,
  },
  {
    title: texts.details,
    cell: (row) => <span class="wrap">{foreignText(detailText(row), sentenceLength)}</span>,
    text: (row) => JSON.stringify(row.detail),
  },
  { title: texts.actor, cell: (row) => row.actor, text: (row) => row.actor },
  {
    title: texts.command,
    isNumber: true,
    cell: (row) => row.sequence ?? '–',
    text: (row) => row.sequence,
  },
];

/** Every admin write, newest first. */
export function Audit() {
  const name = 'GET /api/v1/admin/audit';
  return (
    <PagedPanel
      title={texts.auditLog}
      name="audit"
      query={useApi(name, { query: { page: page.value, page_size: pageSize } }, { every: 10_000 })}
      columns={columns}
      keyOf={(row) => row.id}
      empty={texts.noOperatorActionsYet}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={page}
      pageSize={pageSize}
    />
  );
}
