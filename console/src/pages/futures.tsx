import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { refresh, useApi } from '../api/query.ts';
import { type LiveOrder, orderNews, type Position, positions } from '../feed/account.ts';
import { now } from '../feed/clock.ts';
import type { MarketFeed } from '../feed/market.ts';
import { ordersOf, sentOrders } from '../feed/orders.ts';
import { isSignedIn } from '../feed/session.ts';
import {
  decimalsOf,
  directionOf,
  formatCountdown,
  formatDecimal,
  formatFraction,
  formatMoment,
  formatSigned,
  formatWhole,
} from '../number/format.ts';
import { DayFigures, Desk, Stat, useMarketFeed } from '../parts/desk.tsx';
import {
  cancelPerpOrder,
  changePerpDraft,
  closePosition,
  type PerpMarket,
  PerpTicket,
} from '../parts/perp-ticket.tsx';
import { ListEnd, Side } from '../parts/spot-lists.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';

type PastOrder = Answer<'GET /api/v1/orders'>['items'][number];
type OwnTrade = Answer<'GET /api/v1/account/trades'>['items'][number];
type FullPosition = Answer<'GET /api/v1/positions/active'>[number];

const shown = signal<'positions' | 'orders' | 'history' | 'trades' | 'account'>('positions');
const words = (text: string): string => text.toLowerCase().replaceAll('_', ' ');

const positionColumns: readonly Column<FullPosition>[] = [
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  {
    title: 'Side',
    cell: (each) => (
      <span class={each.side === 'LONG' ? 'up' : 'down'}>
        {each.side === 'LONG' ? '▲ Long' : '▼ Short'} {each.leverage}×
      </span>
    ),
    text: (each) => each.side,
  },
  {
    title: 'Size',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Entry',
    isNumber: true,
    cell: (each) => formatWhole(each.entry_price),
    text: (each) => each.entry_price,
  },
  {
    title: 'Mark',
    isNumber: true,
    cell: (each) => formatWhole(each.mark_price),
    text: (each) => each.mark_price,
  },
  {
    title: 'Liquidation',
    isNumber: true,
    cell: (each) => formatWhole(each.liquidation_price),
    text: (each) => each.liquidation_price,
  },
  {
    title: 'Margin',
    isNumber: true,
    cell: (each) => formatDecimal(each.initial_margin, 2),
    text: (each) => each.initial_margin,
  },
  {
    title: 'PnL',
    isNumber: true,
    cell: (each) => (
      <span class={directionOf(each.unrealized_profit)}>
        {formatSigned(each.unrealized_profit, 2)}
      </span>
    ),
    text: (each) => each.unrealized_profit,
  },
  {
    title: '',
    isNumber: true,
    cell: (each) => (
      <button
        type="button"
        class="small"
        onClick={() =>
          each.side !== 'NONE' && void closePosition(each.symbol, each.side, each.quantity)
        }
      >
        Close
      </button>
    ),
  },
];

const orderColumns: readonly Column<PastOrder | LiveOrder>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: 'Type', cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatWhole(each.price),
    text: (each) => each.price,
  },
  {
    title: 'Trigger',
    isNumber: true,
    cell: (each) => formatWhole(each.stop_price),
    text: (each) => each.stop_price ?? null,
  },
  {
    title: 'Quantity',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Filled',
    isNumber: true,
    cell: (each) => formatWhole(each.filled_quantity),
    text: (each) => each.filled_quantity,
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
        onClick={() => void cancelPerpOrder(Number(each.order_id))}
      >
        Cancel
      </button>
    ),
  },
];

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

function Positions({ live }: { live: ReadonlyMap<string, Position> }) {
  const query = useApi('GET /api/v1/positions/active', {}, { every: 2_000 });
  useEffect(() => refresh('GET /api/v1/positions/active'), [live]);
  return (
    <Loaded query={query}>
      {(rows) => (
        <Table
          caption="Positions"
          columns={positionColumns}
          rows={rows}
          keyOf={(each) => each.symbol}
          empty="No positions. Place an order in the ticket; test money gets here by a transfer in the wallet."
        />
      )}
    </Loaded>
  );
}

function History({ symbol }: { symbol: string }) {
  const query = useApi('GET /api/v1/orders', { query: { symbol, limit: 50 } });
  return (
    <Loaded query={query}>
      {({ items, total }) => (
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
            isWhole={items.length === total}
            csv={
              <CsvButton name={`perpetual-orders-${symbol}`} columns={orderColumns} rows={items} />
            }
          />
        </>
      )}
    </Loaded>
  );
}

function Trades({ symbol }: { symbol: string }) {
  const query = useApi('GET /api/v1/account/trades', { query: { symbol, limit: 50 } });
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
            csv={
              <CsvButton name={`perpetual-trades-${symbol}`} columns={tradeColumns} rows={items} />
            }
          />
        </>
      )}
    </Loaded>
  );
}

function Account() {
  const query = useApi('GET /api/v1/unified/account', {}, { every: 3_000 });
  return (
    <Loaded query={query}>
      {(account) => (
        <dl class="cards body">
          {(
            [
              ['Equity', account.equity],
              ['Available', account.available_balance],
              ['Withdrawable', account.withdrawable],
              ['Margin of positions', account.position_margin],
              ['Margin of orders', account.order_margin],
              ['Maintenance margin', account.maintenance_margin],
              ['Unrealized', account.unrealized_profit],
            ] as const
          ).map(([name, amount]) => (
            <div class="figure" key={name}>
              <dt>{name}, USDT</dt>
              <dd>{formatDecimal(amount, 2)}</dd>
            </div>
          ))}
          <div class="figure">
            <dt>uniMMR</dt>
            <dd>{formatDecimal(account.uniMMR, 2)}</dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

function PerpLists({ symbol }: { symbol: string }) {
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

function Head({
  market,
  all,
  feed,
}: {
  market: PerpMarket;
  all: readonly PerpMarket[];
  feed: MarketFeed;
}) {
  const { route } = useLocation();
  const decimals = decimalsOf(market.tick_size);
  const mark = feed.mark.value;
  return (
    <>
      <h1>
        <span class="hidden">Perpetual</span>
        <select
          aria-label="Market"
          value={market.symbol}
          onChange={(event) => route(`/futures/${event.currentTarget.value}`)}
        >
          {all.map((each) => (
            <option key={each.symbol} value={each.symbol}>
              {each.base_asset} perpetual
            </option>
          ))}
        </select>
      </h1>
      <DayFigures feed={feed} decimals={decimals} />
      <Stat label="Mark">{formatDecimal(mark?.mark_price, decimals)}</Stat>
      <Stat label="Index" isOptional>
        {formatDecimal(mark?.index_price, decimals)}
      </Stat>
      <Stat label="Funding, in">
        {formatFraction(mark?.funding_rate, 4)} ·{' '}
        {mark === null ? '–' : formatCountdown(mark.next_funding_time - now.value)}
      </Stat>
      {market.status !== 'listed' && <span class="tag warn">{market.status}</span>}
      {mark?.is_index_stale === true && <span class="tag warn">the index price is old</span>}
    </>
  );
}

function PerpDesk({ market, all }: { market: PerpMarket; all: readonly PerpMarket[] }) {
  const feed = useMarketFeed('futures', market.symbol);
  return (
    <Desk
      kind="futures"
      symbol={market.symbol}
      feed={feed}
      priceDecimals={decimalsOf(market.tick_size)}
      quantityDecimals={decimalsOf(market.lot_size)}
      head={<Head market={market} all={all} feed={feed} />}
      ticket={<PerpTicket market={market} feed={feed} />}
      lists={<PerpLists symbol={market.symbol} />}
      onPick={(price) => changePerpDraft({ price, type: 'LIMIT' })}
      onSide={(side) => changePerpDraft({ side: side === 'buy' ? 'BUY' : 'SELL' })}
    />
  );
}

export function FuturesPage() {
  const { params } = useRoute();
  const query = useApi('GET /api/v1/markets', {}, { every: 10_000 });
  return (
    <Loaded query={query}>
      {(markets) => {
        const market = markets.find(({ symbol }) => symbol === params['symbol']);
        if (market !== undefined)
          return <PerpDesk key={market.symbol} market={market} all={markets} />;
        return (
          <main class="page" id="main">
            <h1>There is no perpetual {params['symbol']}</h1>
            <a href="/">All markets</a>
          </main>
        );
      }}
    </Loaded>
  );
}
