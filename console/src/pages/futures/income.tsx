import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByOffset } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { directionOf, formatMoment, formatWhole } from '../../number/format.ts';
import { ListEnd, usePageSize } from '../../parts/list-end.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type Income = Answer<'GET /api/v1/income'>['items'][number];

const incomeColumns: readonly Column<Income>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  {
    title: 'What',
    cell: (each) => each.type.toLowerCase().replaceAll('_', ' '),
    text: (each) => each.type,
  },
  { title: 'Market', cell: (each) => each.symbol ?? '', text: (each) => each.symbol },
  {
    title: 'USDT',
    isNumber: true,
    cell: (each) => (
      <span class={directionOf(each.amount)}>
        {each.amount.startsWith('-') ? '' : '+'}
        {formatWhole(each.amount)}
      </span>
    ),
    text: (each) => each.amount,
  },
];

/** Lists each fee, funding payment, realized profit and transfer. */
export function IncomeList() {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/income', { query: { limit } });
  const load = () => readByOffset((page) => api.call('GET /api/v1/income', { query: page }));
  return (
    <Loaded query={query}>
      {({ items, next_offset: next }) => (
        <>
          <Table
            caption="Funding and fees"
            columns={incomeColumns}
            rows={items}
            keyOf={(each) => `${each.type} ${each.income_id}`}
            empty="Nothing yet. Fees, funding and profits stand here."
          />
          <ListEnd
            count={items.length}
            isWhole={next === null}
            onMore={onMore}
            csv={<CsvButton name="income" columns={incomeColumns} rows={items} load={load} />}
          />
        </>
      )}
    </Loaded>
  );
}
