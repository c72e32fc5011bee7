import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatSigned, formatWhole } from '../../number/format.ts';
import { ListEnd, usePageSize } from '../../parts/list-end.tsx';
import { Side } from '../../parts/spot-order-columns.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';

type OwnTrade = Answer<'GET /api/v1/account/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
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
  { title: 'Fee', isNumber: true, cell: (each) => formatWhole(each.fee), text: (each) => each.fee },
  {
    title: 'Realized',
    isNumber: true,
    cell: (each) => formatSigned(each.realized_profit, 4),
    text: (each) => each.realized_profit,
  },
];

export function Trades({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const query = useApi('GET /api/v1/account/trades', { query: { symbol, limit } });
  const load = () =>
    readByCursor((page) => api.call('GET /api/v1/account/trades', { query: { symbol, ...page } }));
  return (
    <Loaded query={query}>
      {({ items, total }) => (
        <>
          <Table
            caption="Own trades"
            columns={tradeColumns}
            rows={items}
            keyOf={(each) => each.trade_id}
            empty="No trades yet."
          />
          <ListEnd
            count={items.length}
            isWhole={items.length === total}
            onMore={onMore}
            csv={
              <CsvButton
                name={`perpetual-trades-${symbol}`}
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
