import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByOffset } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { directionOf, formatMoment } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

type Income = Answer<'GET /api/v1/income'>['items'][number];

const incomeColumns: readonly Column<Income>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.kind,
    cell: (each) => each.type.toLowerCase().replaceAll('_', ' '),
    text: (each) => each.type,
  },
  { title: texts.market, cell: (each) => each.symbol ?? '', text: (each) => each.symbol },
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
      caption={texts.fundingAndFees}
      name="income"
      query={useApi(name, { query: { limit } })}
      columns={incomeColumns}
      keyOf={(each) => `${each.type} ${each.income_id}`}
      empty={texts.noIncomeYet}
      load={() => readByOffset((page) => api.call(name, { query: page }))}
      onMore={onMore}
    />
  );
}
