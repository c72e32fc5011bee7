import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../api/query.ts';
import { type Balance, balances, type LiveOrder, orderRevision } from '../feed/account.ts';
import { cancelAllSpotOrders, cancelSpotOrder, ordersOf } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import { Amount } from './amount.tsx';
import { confirm } from './dialog.tsx';
import { FaucetButton } from './faucet.tsx';
import { later } from './later.tsx';
import { ListEnd } from './list-end.tsx';
import { OpenOrders, SentOrders } from './open-orders.tsx';
import { mayCancel } from './order-questions.ts';
import { orderColumns, words } from './spot-order-columns.tsx';
import { type Column, CsvButton, Table } from './table.tsx';
import { Tabs } from './tabs.tsx';

const shown = signal<'open' | 'history' | 'trades' | 'balances'>('open');

const History = later<{ symbol: string }>(() =>
  import('./spot-histories.tsx').then((each) => each.History),
);
const Trades = later<{ symbol: string }>(() =>
  import('./spot-histories.tsx').then((each) => each.Trades),
);

const openColumns: readonly Column<LiveOrder>[] = [
  ...orderColumns,
  {
    title: '',
    isNumber: true,
    cell: (each) => (
      <button type="button" class="small" onClick={() => void cancelOne(each)}>
        Cancel
      </button>
    ),
  },
];

const balanceColumns: readonly Column<Balance>[] = [
  { title: 'Token', cell: (each) => each.token, text: (each) => each.token },
  {
    title: 'Available',
    isNumber: true,
    cell: (each) => <Amount value={each.available} token={each.token} />,
    text: (each) => each.available,
  },
  {
    title: 'In orders',
    isNumber: true,
    cell: (each) => <Amount value={each.locked} token={each.token} />,
    text: (each) => each.locked,
  },
];

async function askCancelAll(symbol: string): Promise<void> {
  const isYes = await confirm({
    title: 'Cancel all orders?',
    action: 'Cancel all',
    text: `All open spot orders of ${symbol} are canceled.`,
  });
  if (isYes) await cancelAllSpotOrders(symbol);
}

function describe({ side, quantity, symbol, price }: LiveOrder): string {
  return `${words(side)} ${quantity ?? ''} ${symbol} at ${price ?? 'market'}`;
}

async function cancelOne(order: LiveOrder): Promise<void> {
  if (await mayCancel(describe(order))) await cancelSpotOrder(String(order.order_id));
}

async function askCancelNewest(order: LiveOrder): Promise<void> {
  const text = describe(order);
  if (await confirm({ title: 'Cancel the newest order?', text, action: 'Cancel it' })) {
    await cancelSpotOrder(String(order.order_id));
  }
}

function Balances() {
  const own = [...balances.value.values()].filter(({ market }) => market === 'spot');
  return (
    <>
      <Table
        caption="Balances"
        columns={balanceColumns}
        rows={own}
        keyOf={(each) => each.token}
        empty="Nothing here yet. Deposit in the wallet, or get test money."
      />
      <ListEnd
        count={own.length}
        isWhole
        csv={<CsvButton name="spot-balances" columns={balanceColumns} rows={own} />}
      />
    </>
  );
}

/** The account's orders, trades and balances below the chart. */
export function SpotLists({ symbol }: { symbol: string }) {
  const news = orderRevision.value;
  useEffect(() => refresh('GET /api/v1/spot/orders', 'GET /api/v1/spot/trades'), [news]);
  if (!isSignedIn.value)
    return <p class="empty">Sign in to see your orders, trades and balances.</p>;
  const [newest] = ordersOf('spot', symbol);
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
          <button
            type="button"
            class="small"
            data-key="C"
            onClick={() => void askCancelAll(symbol)}
          >
            Cancel all
          </button>
        </span>
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
      {shown.value === 'open' && (
        <>
          <SentOrders kind="spot" symbol={symbol} />
          <OpenOrders
            kind="spot"
            symbol={symbol}
            columns={openColumns}
            name={`open-orders-${symbol}`}
          />
        </>
      )}
      {shown.value === 'history' && <History symbol={symbol} />}
      {shown.value === 'trades' && <Trades symbol={symbol} />}
      {shown.value === 'balances' && <Balances />}
    </>
  );
}
