import type { Answer } from '@openbourse/client';
import { api } from '../api/api.ts';
import { readByCursor } from '../api/pages.ts';
import { useApi } from '../api/query.ts';
import { formatPrice, quoteOf } from '../feed/prices.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import { Amount } from './amount.tsx';
import { usePageSize } from './list-end.tsx';
import { PagedList } from './paged-list.tsx';
import { orderColumns, Side } from './spot-order-columns.tsx';
import type { Column } from './table.tsx';

type OwnTrade = Answer<'GET /api/v1/spot/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: 'Role', cell: (each) => each.role, text: (each) => each.role },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.price),
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
    cell: (each) => <Amount value={each.quote_quantity} token={quoteOf(each.symbol)} />,
    text: (each) => each.quote_quantity,
  },
  {
    title: 'Fee',
    isNumber: true,
    cell: (each) => <Amount value={each.fee} token={each.fee_token} isNamed />,
    text: (each) => each.fee,
  },
];

/** The account's orders in a market, newest first. */
export function History({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/spot/orders';
  return (
    <PagedList
      caption="Order history"
      name={`orders-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={orderColumns}
      keyOf={(each) => each.order_id}
      empty="No orders yet. Place one in the ticket."
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}

/** The account's trades in a market, newest first. */
export function Trades({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/spot/trades';
  return (
    <PagedList
      caption="Own trades"
      name={`trades-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={tradeColumns}
      keyOf={(each) => each.trade_id + each.role}
      empty="No trades yet. Place an order in the ticket."
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}
