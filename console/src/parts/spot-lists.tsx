import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../api/api.ts';
import { readByCursor } from '../api/pages.ts';
import { refresh, useApi } from '../api/query.ts';
import { type Balance, balances, type LiveOrder, orderRevision } from '../feed/account.ts';
import { cancelAllSpotOrders, cancelSpotOrder, ordersOf, sentOrders } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import { confirm } from './dialog.tsx';
import { FaucetButton } from './faucet.tsx';
import { ListEnd, usePageSize } from './list-end.tsx';
import { type Column, CsvButton, Loaded, Table } from './table.tsx';
import { Tabs } from './tabs.tsx';

type PastOrder = Answer<'GET /api/v1/spot/orders'>['items'][number];
type OwnTrade = Answer<'GET /api/v1/spot/trades'>['items'][number];

const shown = signal<'open' | 'history' | 'trades' | 'balances'>('open');

export function Side({ side }: { side: string }) {
  const isBuy = side.toLowerCase() === 'buy';
  return <span class={isBuy ? 'up' : 'down'}>{isBuy ? '▲ Buy' : '▼ Sell'}</span>;
}

const words = (text: string): string => text.toLowerCase().replaceAll('_', ' ');

const orderColumns: readonly Column<PastOrder | LiveOrder>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: 'Type', cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatWhole(each.price),
    text: (each) => each.price,
  },
  {
    title: 'Quantity',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity ?? each.quote_quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Filled',
    isNumber: true,
    cell: (each) => formatWhole(each.filled_quantity),
    text: (each) => each.filled_quantity,
  },
  {
    title: 'Average',
    isNumber: true,
    cell: (each) => formatWhole(each.avg_price),
    text: (each) => each.avg_price,
  },
  {
    title: 'State',
    cell: (each) => <span class="tag">{words(each.status)}</span>,
    text: (each) => each.status,
  },
];

const openColumns: readonly Column<LiveOrder>[] = [
  ...orderColumns,
  {
    title: '',
    isNumber: true,
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() => void cancelSpotOrder(String(each.order_id))}
      >
        Cancel
      </button>
    ),
  },
];

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

const balanceColumns: readonly Column<Balance>[] = [
  { title: 'Token', cell: (each) => each.token, text: (each) => each.token },
  {
    title: 'Available',
    isNumber: true,
    cell: (each) => formatWhole(each.available),
    text: (each) => each.available,
  },
  {
    title: 'In orders',
    isNumber: true,
    cell: (each) => formatWhole(each.locked),
    text: (each) => each.locked,
  },
];

export async function askCancelAll(symbol: string): Promise<void> {
  const isYes = await confirm({
    title: 'Cancel all orders?',
    action: 'Cancel all',
    text: `All open spot orders of ${symbol} are canceled.`,
  });
  if (isYes) await cancelAllSpotOrders(symbol);
}

function OpenOrders({ symbol }: { symbol: string }) {
  const orders = ordersOf('spot', symbol);
  const newest = orders[0];
  return (
    <>
      {sentOrders.value.map((sent) => (
        <p key={sent.clientOrderId} class="empty" role="status">
          {sent.text}:{' '}
          {sent.state === 'sending' ? 'sending…' : 'no answer came; looking for the order…'}
        </p>
      ))}
      <Table
        caption="Open orders"
        columns={openColumns}
        rows={orders}
        keyOf={(each) => each.order_id}
        empty="No open orders. Place one in the ticket."
      />
      {newest !== undefined && (
        <span hidden>
          <button
            type="button"
            data-key="c"
            tabIndex={-1}
            onClick={() => void askCancelNewest(newest)}
          />
          <button
            type="button"
            data-key="C"
            tabIndex={-1}
            onClick={() => void askCancelAll(symbol)}
          />
        </span>
      )}
    </>
  );
}

async function askCancelNewest(order: LiveOrder): Promise<void> {
  const text = `${words(order.side)} ${order.quantity ?? ''} ${order.symbol} at ${order.price ?? 'market'}`;
  if (await confirm({ title: 'Cancel the newest order?', text, action: 'Cancel it' })) {
    await cancelSpotOrder(String(order.order_id));
  }
}

function History({ symbol }: { symbol: string }) {
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

function Trades({ symbol }: { symbol: string }) {
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

/** The account's orders, trades and balances below the chart. */
export function SpotLists({ symbol }: { symbol: string }) {
  const news = orderRevision.value;
  useEffect(() => refresh('GET /api/v1/spot/orders', 'GET /api/v1/spot/trades'), [news]);
  if (!isSignedIn.value)
    return <p class="empty">Sign in to see your orders, trades and balances.</p>;
  const own = [...balances.value.values()].filter(({ market }) => market === 'spot');
  return (
    <>
      <header>
        <Tabs
          label="Your account"
          tabs={[
            { id: 'open', label: `Open orders ${ordersOf('spot', symbol).length}` },
            { id: 'history', label: 'History' },
            { id: 'trades', label: 'Trades' },
            { id: 'balances', label: 'Balances' },
          ]}
          chosen={shown.value}
          onChoose={(id) => {
            shown.value = id;
          }}
        />
        <span class="row">
          <FaucetButton />
          <button type="button" class="small" onClick={() => void askCancelAll(symbol)}>
            Cancel all
          </button>
        </span>
      </header>
      {shown.value === 'open' && <OpenOrders symbol={symbol} />}
      {shown.value === 'history' && <History symbol={symbol} />}
      {shown.value === 'trades' && <Trades symbol={symbol} />}
      {shown.value === 'balances' && (
        <Table
          caption="Balances"
          columns={balanceColumns}
          rows={own}
          keyOf={(each) => each.token}
          empty="Nothing here yet. Deposit in the wallet, or get test money."
        />
      )}
    </>
  );
}
