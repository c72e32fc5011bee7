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
import * as texts from '../../text/en/futures.ts';

type OwnTrade = Answer<'GET /api/v1/account/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  {
    title: texts.price,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.quantity,
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: texts.fee,
    isNumber: true,
    cell: (each) => <Usdt value={each.fee} />,
    text: (each) => each.fee,
  },
  {
    title: texts.realized,
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
      caption={texts.ownTrades}
      name={`perpetual-trades-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={tradeColumns}
      keyOf={(each) => each.trade_id}
      empty={texts.noTradesYet}
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}
