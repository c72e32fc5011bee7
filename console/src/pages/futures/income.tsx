import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByOffset } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { directionOf, formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import type { Column } from '../../parts/table.tsx';

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
        <Usdt value={each.amount} isSigned />
      </span>
    ),
    text: (each) => each.amount,
  },
];

/** Lists each fee, funding payment, realized profit and transfer. */
export function IncomeList() {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/income';
  return (
    <PagedList
      caption="Funding and fees"
      name="income"
      query={useApi(name, { query: { limit } })}
      columns={incomeColumns}
      keyOf={(each) => `${each.type} ${each.income_id}`}
      empty="Nothing yet. Fees, funding and profits stand here."
      load={() => readByOffset((page) => api.call(name, { query: page }))}
      onMore={onMore}
    />
  );
}
