import { useApi } from '../../api/query.ts';
import { ListEnd } from '../../parts/spot-lists.tsx';
import { CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { orderColumns } from './order-columns.tsx';

export function History({ symbol }: { symbol: string }) {
  const query = useApi('GET /api/v1/orders', { query: { symbol, limit: 50 } });
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
            csv={
              <CsvButton name={`perpetual-orders-${symbol}`} columns={orderColumns} rows={items} />
            }
          />
        </>
      )}
    </Loaded>
  );
}
