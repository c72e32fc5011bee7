import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ListEnd, usePageSize } from '../../parts/list-end.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { orderColumns } from './order-columns.tsx';

type PastOrder = Answer<'GET /api/v1/liquidations'>['items'][number];

export function History({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/orders', { query: { symbol, limit } });
  const load = () =>
    readByCursor((page) => api.call('GET /api/v1/orders', { query: { symbol, ...page } }));
  return (
    <Loaded query={query}>
      {({ items, total }) => (
        <>
          <Table
            caption="Order history"
            columns={orderColumns}
            rows={items}
            keyOf={(each) => each.order_id}
            empty="No orders yet."
          />
          <ListEnd
            count={items.length}
            isWhole={items.length === total}
            onMore={onMore}
            csv={
              <CsvButton
                name={`perpetual-orders-${symbol}`}
                columns={orderColumns}
                rows={items}
                load={load}
              />
            }
          />
        </>
      )}
    </Loaded>
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
  const query = useApi('GET /api/v1/liquidations', { query: { limit } });
  const load = () => readByCursor((page) => api.call('GET /api/v1/liquidations', { query: page }));
  return (
    <Loaded query={query}>
      {({ items, total }) => (
        <>
          <Table
            caption="Liquidations"
            columns={liquidationColumns}
            rows={items}
            keyOf={(each) => `${each.order_id} ${formatMoment(each.updated_at)}`}
            empty="None. A position is liquidated where its margin no longer covers it."
          />
          <ListEnd
            count={items.length}
            isWhole={items.length === total}
            onMore={onMore}
            csv={
              <CsvButton
                name="liquidations"
                columns={liquidationColumns}
                rows={items}
                load={load}
              />
            }
          />
        </>
      )}
    </Loaded>
  );
}
