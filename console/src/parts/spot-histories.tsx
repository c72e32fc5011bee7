import type { Answer } from '@openbourse/client';
import { api } from '../api/api.ts';
import { readByCursor } from '../api/pages.ts';
import { useApi } from '../api/query.ts';
import { type Balance, balances } from '../feed/account.ts';
import { formatPrice, quoteOf } from '../feed/prices.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';
import { Amount } from './amount.tsx';
import { ListEnd, usePageSize } from './list-end.tsx';
import { PagedList } from './paged-list.tsx';
import { orderColumns, Side } from './spot-order-columns.tsx';
import { type Column, CsvButton, Table } from './table.tsx';

type OwnTrade = Answer<'GET /api/v1/spot/trades'>['items'][number];

const tradeColumns: readonly Column<OwnTrade>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.market, cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: texts.role, cell: (each) => each.role, text: (each) => each.role },
  {
    title: texts.price,
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.quantity,
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: texts.value,
    isNumber: true,
    cell: (each) => <Amount value={each.quote_quantity} token={quoteOf(each.symbol)} />,
    text: (each) => each.quote_quantity,
  },
  {
    title: texts.fee,
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
      caption={texts.orderHistory}
      name={`orders-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={orderColumns}
      keyOf={(each) => each.order_id}
      empty={texts.noOrdersYet}
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
      caption={texts.ownTrades}
      name={`trades-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={tradeColumns}
      keyOf={(each) => each.trade_id + each.role}
      empty={texts.noTradesYet}
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
    />
  );
}

const balanceColumns: readonly Column<Balance>[] = [
  { title: texts.token, cell: (each) => each.token, text: (each) => each.token },
  {
    title: texts.available,
    isNumber: true,
    cell: (each) => <Amount value={each.available} token={each.token} />,
    text: (each) => each.available,
  },
  {
    title: texts.inOrders,
    isNumber: true,
    cell: (each) => <Amount value={each.locked} token={each.token} />,
    text: (each) => each.locked,
  },
];

/** What the account has on the spot market. */
export function Balances() {
  const own = [...balances.value.values()].filter(({ market }) => market === 'spot');
  return (
    <>
      <Table
        caption={texts.balances}
        columns={balanceColumns}
        rows={own}
        keyOf={(each) => each.token}
        empty={texts.noBalances}
      />
      <ListEnd
        count={own.length}
        isWhole
        csv={<CsvButton name="spot-balances" columns={balanceColumns} rows={own} />}
      />
    </>
  );
}
