import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { accountStaleSince, type LiveOrder, orderRevision, positions } from '../../feed/account.ts';
import { ordersOf } from '../../feed/orders.ts';
import { isSignedIn } from '../../feed/session.ts';
import { CancelNewest, OpenOrders, SentOrders } from '../../parts/open-orders.tsx';
import { AgeTag } from '../../parts/panel.tsx';
import { cancelAllPerpOrders, cancelPerpOrder } from '../../parts/perp-ticket/perp-actions.ts';
import type { PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import * as texts from '../../text/en/futures.ts';
import { Account } from './account.tsx';
import { ForcedOrders } from './forced-orders.tsx';
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

function Shown({ market }: { market: PerpMarket }) {
  const { symbol } = market;
  switch (shown.value) {
    case 'positions':
      return <Positions live={positions.value} />;
    case 'orders':
      return (
        <OpenOrders
          kind="futures"
          symbol={symbol}
          columns={openColumns(market)}
          name={`open-perpetual-orders-${symbol}`}
        />
      );
    case 'triggers':
      return <TriggerOrders symbol={symbol} />;
    case 'history':
      return <History symbol={symbol} />;
    case 'trades':
      return <Trades symbol={symbol} />;
    case 'income':
      return <IncomeList />;
    case 'liquidations':
      return (
        <>
          <Liquidations />
          <ForcedOrders />
        </>
      );
    case 'profit':
      return <Performance />;
    case 'account':
      return <Account symbol={symbol} />;
  }
}

const describe = ({ side, quantity, price }: LiveOrder): string =>
  texts.orderDescription(side.toLowerCase(), quantity ?? '', price ?? 'market');

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
  if (!isSignedIn.value) {
    return (
      <>
        <p class="empty">{texts.signInToSeeAccount}</p>
        <ForcedOrders />
      </>
    );
  }
  return (
    <>
      <header>
        <Tabs
          label={texts.yourAccount}
          tabs={[
            { id: 'positions', label: texts.positionsCount(positions.value.size) },
            { id: 'orders', label: texts.ordersCount(ordersOf('futures', market.symbol).length) },
            { id: 'triggers', label: texts.triggers },
            { id: 'history', label: texts.history },
            { id: 'trades', label: texts.trades },
            { id: 'income', label: texts.fundingAndFees },
            { id: 'liquidations', label: texts.liquidations },
            { id: 'profit', label: texts.profit },
            { id: 'account', label: texts.account },
          ]}
          chosen={shown.value}
          onChoose={(id) => {
            shown.value = id;
          }}
        />
        <span class="row">
          <AgeTag since={accountStaleSince.value} />
          <SendButton
            class="small"
            data-key="C"
            onClick={() => void cancelAllPerpOrders(market.symbol)}
          >
            {texts.cancelAll}
          </SendButton>
        </span>
      </header>
      <CancelNewest
        kind="futures"
        symbol={market.symbol}
        describe={describe}
        cancel={({ order_id: id }) => cancelPerpOrder(Number(id), true)}
      />
      <SentOrders kind="futures" symbol={market.symbol} />
      <Shown market={market} />
    </>
  );
}
