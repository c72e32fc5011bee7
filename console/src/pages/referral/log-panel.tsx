import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';

type Log = Answer<'GET /api/v1/referral/logs'>['items'][number];

const page = signal(1);
const pageSize = 20;

const logColumns: readonly Column<Log>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.kind, cell: (each) => each.type.replaceAll('_', ' '), text: (each) => each.type },
  {
    title: texts.counterparty,
    cell: (each) => each.counterparty ?? each.code ?? '',
    text: (each) => each.counterparty ?? each.code,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Usdt value={each.amount} />,
    text: (each) => each.amount,
  },
];

export function LogPanel() {
  const name = 'GET /api/v1/referral/logs';
  return (
    <PagedPanel
      title={texts.log}
      name="referral-log"
      query={useApi(name, { query: { page: page.value, page_size: pageSize } })}
      columns={logColumns}
      keyOf={(each) => each.id}
      empty={texts.nothingHasHappenedYet}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={page}
      pageSize={pageSize}
    />
  );
}
