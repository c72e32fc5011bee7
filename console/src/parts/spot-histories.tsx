import type { Answer } from '@openbourse/client';
import { api } from '../api/api.ts';
import { readByCursor } from '../api/pages.ts';
import { useApi } from '../api/query.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import { ListEnd, usePageSize } from './list-end.tsx';
import { orderColumns, Side } from './spot-order-columns.tsx';
import { type Column, CsvButton, Loaded, Table } from './table.tsx';

type OwnTrade = Answer<'GET /api/v1/spot/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: 'Role', cell: (each) => each.role, text: (each) => each.role },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatWhole(each.price),
    text: (each) => each.price,
  },
  {
    title: 'Quantity',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Value',
    isNumber: true,
    cell: (each) => formatWhole(each.quote_quantity),
    text: (each) => each.quote_quantity,
  },
  {
    title: 'Fee',
    isNumber: true,
    cell: (each) => `${formatWhole(each.fee)} ${each.fee_token}`,
    text: (each) => each.fee,
  },
];

/** The account's orders in a market, newest first. */
export function History({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/spot/orders', { query: { symbol, limit } });
  const load = () =>
    readByCursor((page) => api.call('GET /api/v1/spot/orders', { query: { symbol, ...page } }));
  return (
    <Loaded query={query}>
      {({ items, next_cursor: next }) => (
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
            isWhole={next === null}
            onMore={onMore}
            csv={
              <CsvButton
                name={`orders-${symbol}`}
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

/** The account's trades in a market, newest first. */
export function Trades({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/spot/trades', { query: { symbol, limit } });
  const load = () =>
    readByCursor((page) => api.call('GET /api/v1/spot/trades', { query: { symbol, ...page } }));
  return (
    <Loaded query={query}>
      {({ items, next_cursor: next }) => (
        <>
          <Table
            caption="Own trades"
            columns={tradeColumns}
            rows={items}
            keyOf={(each) => each.trade_id + each.role}
            empty="No trades yet."
          />
          <ListEnd
            count={items.length}
            isWhole={next === null}
            onMore={onMore}
            csv={
              <CsvButton
                name={`trades-${symbol}`}
                columns={tradeColumns}
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
