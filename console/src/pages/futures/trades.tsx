import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatPrice } from '../../feed/prices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import { Side } from '../../parts/spot-order-columns.tsx';
import type { Column } from '../../parts/table.tsx';

type OwnTrade = Answer<'GET /api/v1/account/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: 'Quantity',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Fee',
    isNumber: true,
    cell: (each) => <Usdt value={each.fee} />,
    text: (each) => each.fee,
  },
  {
    title: 'Realized',
    isNumber: true,
    cell: (each) => <Usdt value={each.realized_profit} isSigned />,
    text: (each) => each.realized_profit,
  },
];

export function Trades({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/account/trades';
  return (
    <PagedList
      caption="Own trades"
      name={`perpetual-trades-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={tradeColumns}
      keyOf={(each) => each.trade_id}
      empty="No trades yet. Place an order in the ticket."
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}
