import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { orderNews, positions } from '../../feed/account.ts';
import { ordersOf, sentOrders } from '../../feed/orders.ts';
import { isSignedIn } from '../../feed/session.ts';
import { Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Account } from './account.tsx';
import { History } from './history.tsx';
import { openColumns } from './order-columns.tsx';
import { Positions } from './positions.tsx';
import { Trades } from './trades.tsx';

const shown = signal<'positions' | 'orders' | 'history' | 'trades' | 'account'>('positions');

export function PerpLists({ symbol }: { symbol: string }) {
  const news = orderNews.value;
  useEffect(() => refresh('GET /api/v1/orders', 'GET /api/v1/account/trades'), [news]);
  if (!isSignedIn.value)
    return <p class="empty">Sign in to see your positions, orders and trades.</p>;
  const orders = ordersOf('futures', symbol);
  return (
    <>
      <header>
        <Tabs
          label="Your account"
          tabs={[
            { id: 'positions', label: `Positions ${positions.value.size}` },
            { id: 'orders', label: `Orders ${orders.length}` },
            { id: 'history', label: 'History' },
            { id: 'trades', label: 'Trades' },
            { id: 'account', label: 'Account' },
          ]}
          chosen={shown.value}
          onChoose={(id) => {
            shown.value = id;
          }}
        />
      </header>
      {sentOrders.value.map((sent) => (
        <p key={sent.clientOrderId} class="empty" role="status">
          {sent.text}:{' '}
          {sent.state === 'sending' ? 'sending…' : 'no answer came; looking for the order…'}
        </p>
      ))}
      {shown.value === 'positions' && <Positions live={positions.value} />}
      {shown.value === 'orders' && (
        <Table
          caption="Open orders"
          columns={openColumns}
          rows={orders}
          keyOf={(each) => each.order_id}
          empty="No open orders. Place one in the ticket."
        />
      )}
      {shown.value === 'history' && <History symbol={symbol} />}
      {shown.value === 'trades' && <Trades symbol={symbol} />}
      {shown.value === 'account' && <Account />}
    </>
  );
}
