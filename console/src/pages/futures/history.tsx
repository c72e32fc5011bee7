import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import type { Column } from '../../parts/table.tsx';
import { orderColumns } from './order-columns.tsx';

type PastOrder = Answer<'GET /api/v1/liquidations'>['items'][number];

export function History({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/orders';
  return (
    <PagedList
      caption="Order history"
      name={`perpetual-orders-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={orderColumns}
      keyOf={(each) => each.order_id}
      empty="No orders yet. Place one in the ticket."
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}

const liquidationColumns: readonly Column<PastOrder>[] = [
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  {
    title: 'What',
    cell: (each) => (each.origin === 'liquidation' ? 'Liquidation' : 'Auto-deleveraging'),
    text: (each) => each.origin,
  },
  ...orderColumns,
];

/** Positions that the exchange closed: liquidations, and deleveraging against a position. */
export function Liquidations() {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/liquidations';
  return (
    <PagedList
      caption="Liquidations"
      name="liquidations"
      query={useApi(name, { query: { limit } })}
      columns={liquidationColumns}
      keyOf={(each) => `${each.order_id} ${formatMoment(each.updated_at)}`}
      empty="None. A position is liquidated where its margin no longer covers it."
      load={() => readByCursor((page) => api.call(name, { query: page }))}
      onMore={onMore}
    />
  );
}
