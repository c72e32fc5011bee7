import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { type LiveOrder, orderRevision, positions } from '../../feed/account.ts';
import { ordersOf, sentOrders } from '../../feed/orders.ts';
import { isSignedIn } from '../../feed/session.ts';
import { confirm } from '../../parts/dialog.tsx';
import { cancelAllPerpOrders, cancelPerpOrder } from '../../parts/perp-ticket/perp-actions.ts';
import type { PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import { CsvButton, Table } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Account } from './account.tsx';
import { History, Liquidations } from './history.tsx';
import { IncomeList } from './income.tsx';
import { openColumns } from './order-columns.tsx';
import { Performance } from './performance.tsx';
import { Positions } from './positions.tsx';
import { Trades } from './trades.tsx';
import { TriggerOrders } from './trigger-orders.tsx';

type ListName =
  | 'positions'
  | 'orders'
  | 'triggers'
  | 'history'
  | 'trades'
  | 'income'
  | 'liquidations'
  | 'profit'
  | 'account';

const shown = signal<ListName>('positions');

function SentOrders() {
  return (
    <>
      {sentOrders.value.map((sent) => (
        <p key={sent.clientOrderId} class="empty" role="status">
          {sent.text}:{' '}
          {sent.state === 'sending' ? 'sending…' : 'no answer came; looking for the order…'}
        </p>
      ))}
    </>
  );
}

function OpenOrders({ market }: { market: PerpMarket }) {
  const orders = ordersOf('futures', market.symbol);
  const columns = openColumns(market);
  return (
    <>
      <Table
        caption="Open orders"
        columns={columns}
        rows={orders}
        keyOf={(each) => each.order_id}
        empty="No open orders. Place one in the ticket."
      />
      {orders.length > 0 && (
        <p class="dim small-text list-end">
          <CsvButton
            name={`open-perpetual-orders-${market.symbol}`}
            columns={columns}
            rows={orders}
          />
        </p>
      )}
    </>
  );
}

function Shown({ market }: { market: PerpMarket }) {
  const { symbol } = market;
  switch (shown.value) {
    case 'positions':
      return <Positions live={positions.value} />;
    case 'orders':
      return <OpenOrders market={market} />;
    case 'triggers':
      return <TriggerOrders symbol={symbol} />;
    case 'history':
      return <History symbol={symbol} />;
    case 'trades':
      return <Trades symbol={symbol} />;
    case 'income':
      return <IncomeList />;
    case 'liquidations':
      return <Liquidations />;
    case 'profit':
      return <Performance />;
    case 'account':
      return <Account symbol={symbol} />;
  }
}

async function askCancelNewest({ order_id: id, side, quantity, price }: LiveOrder): Promise<void> {
  const text = `${side.toLowerCase()} ${quantity ?? ''} at ${price ?? 'market'}`;
  if (await confirm({ title: 'Cancel the newest order?', text, action: 'Cancel it' })) {
    await cancelPerpOrder(Number(id), true);
  }
}

/** The account's perpetuals, below the chart. */
export function PerpLists({ market }: { market: PerpMarket }) {
  const revision = orderRevision.value;
  useEffect(
    () =>
      refresh(
        'GET /api/v1/orders',
        'GET /api/v1/account/trades',
        'GET /api/v1/trigger-orders',
        'GET /api/v1/income',
        'GET /api/v1/unified/account',
        'GET /api/v1/liquidations',
      ),
    [revision],
  );
  const [newest] = ordersOf('futures', market.symbol);
  if (!isSignedIn.value)
    return <p class="empty">Sign in to see your positions, orders and trades.</p>;
  return (
    <>
      <header>
        <Tabs
          label="Your account"
          tabs={[
            { id: 'positions', label: `Positions ${positions.value.size}` },
            { id: 'orders', label: `Orders ${ordersOf('futures', market.symbol).length}` },
            { id: 'triggers', label: 'Triggers' },
            { id: 'history', label: 'History' },
            { id: 'trades', label: 'Trades' },
            { id: 'income', label: 'Funding and fees' },
            { id: 'liquidations', label: 'Liquidations' },
            { id: 'profit', label: 'Profit' },
            { id: 'account', label: 'Account' },
          ]}
          chosen={shown.value}
          onChoose={(id) => {
            shown.value = id;
          }}
        />
        <button
          type="button"
          class="small"
          data-key="C"
          onClick={() => void cancelAllPerpOrders(market.symbol)}
        >
          Cancel all
        </button>
      </header>
      {newest !== undefined && (
        <button
          type="button"
          hidden
          data-key="c"
          tabIndex={-1}
          onClick={() => void askCancelNewest(newest)}
        />
      )}
      <SentOrders />
      <Shown market={market} />
    </>
  );
}
