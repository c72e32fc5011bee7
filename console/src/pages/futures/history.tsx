import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';
import { orderColumns } from './order-columns.tsx';

type PastOrder = Answer<'GET /api/v1/liquidations'>['items'][number];

export function History({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/orders';
  return (
    <PagedList
      caption={texts.orderHistory}
      name={`perpetual-orders-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={orderColumns}
      keyOf={(each) => each.order_id}
      empty={texts.noOrdersYet}
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}

const liquidationColumns: readonly Column<PastOrder>[] = [
  { title: texts.market, cell: (each) => each.symbol, text: (each) => each.symbol },
  {
    title: texts.kind,
    cell: (each) => (each.origin === 'liquidation' ? texts.liquidation : 'Auto-deleveraging'),
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
      caption={texts.liquidations}
      name="liquidations"
      query={useApi(name, { query: { limit } })}
      columns={liquidationColumns}
      keyOf={(each) => `${each.order_id} ${formatMoment(each.updated_at)}`}
      empty={texts.noLiquidations}
      load={() => readByCursor((page) => api.call(name, { query: page }))}
      onMore={onMore}
    />
  );
}
