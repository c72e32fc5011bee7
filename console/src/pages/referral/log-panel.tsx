import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Log = Answer<'GET /api/v1/referral/logs'>['items'][number];

const logColumns: readonly Column<Log>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'What', cell: (each) => each.type.replaceAll('_', ' '), text: (each) => each.type },
  {
    title: 'With',
    cell: (each) => each.counterparty ?? each.code ?? '',
    text: (each) => each.counterparty,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
];

export function LogPanel() {
  const logs = useApi('GET /api/v1/referral/logs', { query: { page_size: 50 } });
  return (
    <section class="panel" aria-label="Log">
      <header>
        <h2>Log</h2>
        <CsvButton name="referral-log" columns={logColumns} rows={logs.data?.items ?? []} />
      </header>
      <Loaded query={logs}>
        {({ items }) => (
          <Table
            caption="Log"
            columns={logColumns}
            rows={items}
            keyOf={(each) => each.id}
            empty="Nothing has happened yet."
          />
        )}
      </Loaded>
    </section>
  );
}
