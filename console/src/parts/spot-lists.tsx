import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../api/query.ts';
import { accountStaleSince, type LiveOrder, orderRevision } from '../feed/account.ts';
import { cancelAllSpotOrders, cancelSpotOrder, ordersOf } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import * as texts from '../text/en/desk.ts';
import { confirm } from './dialog.tsx';
import { FaucetButton } from './faucet.tsx';
import { later } from './later.tsx';
import { CancelNewest, OpenOrders, SentOrders } from './open-orders.tsx';
import { mayCancel } from './order-questions.ts';
import { AgeTag } from './panel.tsx';
import { SendButton } from './send-button.tsx';
import { orderColumns, words } from './spot-order-columns.tsx';
import type { Column } from './table.tsx';
import { Tabs } from './tabs.tsx';

const shown = signal<'open' | 'history' | 'trades' | 'balances'>('open');

const History = later<{ symbol: string }>(() =>
  import('./spot-histories.tsx').then((each) => each.History),
);
const Balances = later(() => import('./spot-histories.tsx').then((each) => each.Balances));
const Trades = later<{ symbol: string }>(() =>
  import('./spot-histories.tsx').then((each) => each.Trades),
);

const openColumns: readonly Column<LiveOrder>[] = [
  ...orderColumns,
  {
    title: '',
    cell: (each) => (
      <SendButton class="small" onClick={() => void cancelOne(each)}>
        {texts.cancel}
      </SendButton>
    ),
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

/** The account's orders, trades and balances below the chart. */
export function SpotLists({ symbol }: { symbol: string }) {
  const news = orderRevision.value;
  useEffect(() => refresh('GET /api/v1/spot/orders', 'GET /api/v1/spot/trades'), [news]);
  if (!isSignedIn.value) return <p class="empty">{texts.signInToSeeAccount}</p>;
  return (
    <>
      <header>
        <Tabs
          label={texts.yourAccount}
          tabs={[
            { id: 'open', label: texts.openOrdersCount(ordersOf('spot', symbol).length) },
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
          <AgeTag since={accountStaleSince.value} />
          <FaucetButton />
          <SendButton class="small" data-key="C" onClick={() => void askCancelAll(symbol)}>
            {texts.cancelAll}
          </SendButton>
        </span>
      </header>
      <CancelNewest
        kind="spot"
        symbol={symbol}
        describe={describe}
        cancel={({ order_id: id }) => cancelSpotOrder(String(id))}
      />
      <SentOrders kind="spot" symbol={symbol} />
      {shown.value === 'open' && (
        <OpenOrders
          kind="spot"
          symbol={symbol}
          columns={openColumns}
          name={`open-orders-${symbol}`}
        />
      )}
      {shown.value === 'history' && <History symbol={symbol} />}
      {shown.value === 'trades' && <Trades symbol={symbol} />}
      {shown.value === 'balances' && <Balances />}
    </>
  );
}
