import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../api/query.ts';
import { type Balance, balances, type LiveOrder, orderRevision } from '../feed/account.ts';
import { cancelAllSpotOrders, cancelSpotOrder, ordersOf } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import * as texts from '../text/en/desk.ts';
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
        {texts.cancel}
      </button>
    ),
  },
];

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

async function askCancelAll(symbol: string): Promise<void> {
  const isYes = await confirm({
    title: texts.cancelAllOrdersQuestion,
    action: texts.cancelAll,
    text: texts.allOpenSpotOrdersOf(symbol),
  });
  if (isYes) await cancelAllSpotOrders(symbol);
}

function describe({ side, quantity, symbol, price }: LiveOrder): string {
  return texts.orderAtPrice(words(side), quantity ?? '', symbol, price ?? 'market');
}

async function cancelOne(order: LiveOrder): Promise<void> {
  if (await mayCancel(describe(order))) await cancelSpotOrder(String(order.order_id));
}

async function askCancelNewest(order: LiveOrder): Promise<void> {
  const text = describe(order);
  if (await confirm({ title: texts.cancelTheNewestOrderQuestion, text, action: texts.cancelIt })) {
    await cancelSpotOrder(String(order.order_id));
  }
}

function Balances() {
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

/** The account's orders, trades and balances below the chart. */
export function SpotLists({ symbol }: { symbol: string }) {
  const news = orderRevision.value;
  useEffect(() => refresh('GET /api/v1/spot/orders', 'GET /api/v1/spot/trades'), [news]);
  if (!isSignedIn.value) return <p class="empty">{texts.signInToSeeAccount}</p>;
  const [newest] = ordersOf('spot', symbol);
  return (
    <>
      <header>
        <Tabs
          label={texts.yourAccount}
          tabs={[
            { id: 'open', label: texts.openOrdersWith(ordersOf('spot', symbol).length) },
            { id: 'history', label: texts.history },
            { id: 'trades', label: texts.trades },
            { id: 'balances', label: texts.balances },
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
            {texts.cancelAll}
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
