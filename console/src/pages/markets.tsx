import { signal } from '@preact/signals';
import type { QueryObserverResult } from '@tanstack/query-core';
import { lackingOf } from '../api/lacking.ts';
import { useApi } from '../api/query.ts';
import { statusOf, tickers, tickersStaleSince, useTickers } from '../feed/all-markets.ts';
import type { MarketKind } from '../feed/market.ts';
import { favourites, toggleFavourite } from '../feed/preferences.ts';
import { decimalsOf, directionOf, formatDecimal, formatSigned } from '../number/format.ts';
import { AgeTag, panelClass } from '../parts/panel.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import * as texts from '../text/en/pages.ts';

interface MarketRow {
  readonly key: string;
  readonly href: string;
  readonly name: string;
  readonly status: string;
  readonly decimals: number;
  readonly last: string | null;
  readonly change: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly volume: string | null;
  readonly closes: readonly string[];
}

type View = MarketKind | 'favourites';

const view = signal<View>('spot');
const search = signal('');
const everyMs = 60_000;

type Trends = ReadonlyMap<string, readonly string[]>;

interface RowTerms {
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly href: string;
  readonly name: string;
  readonly status: 'listed' | 'halted' | 'delisted';
  readonly tick: string;
  readonly trends: Trends;
}

function rowOf({ kind, symbol, href, name, status, tick, trends }: RowTerms): MarketRow {
  const ticker = tickers[kind].value?.get(symbol);
  return {
    key: `${kind} ${symbol}`,
    href,
    name,
    decimals: decimalsOf(tick),
    status: statusOf(kind, symbol, status),
    last: ticker?.last_price ?? null,
    change: ticker?.price_change_percent ?? null,
    high: ticker?.high_price ?? null,
    low: ticker?.low_price ?? null,
    volume: ticker?.quote_volume ?? null,
    closes: trends.get(symbol) ?? [],
  };
}

/** Each market's prices of the last hours; they change once a minute. */
function useTrends(): Readonly<Record<MarketKind, Trends>> {
  const spot = useApi('GET /api/v1/spot/trends', {}, { every: everyMs });
  const futures = useApi('GET /api/v1/trends', {}, { every: everyMs });
  const bySymbol = (all: readonly { symbol: string; closes: readonly string[] }[]): Trends =>
    new Map(all.map(({ symbol, closes }) => [symbol, closes]));
  return { spot: bySymbol(spot.data?.items ?? []), futures: bySymbol(futures.data ?? []) };
}

/** The markets with their terms, which rarely change; their figures are streamed. */
function useRows(): {
  spot: readonly MarketRow[];
  futures: readonly MarketRow[];
  /** Which query each view is to be shown by. */
  queries: Readonly<Record<View, QueryObserverResult<unknown>>>;
} {
  useTickers();
  const trends = useTrends();
  const query = useApi('GET /api/v1/spot/markets', {}, { every: everyMs });
  const perpetuals = useApi('GET /api/v1/markets', {}, { every: everyMs });
  const spot = (query.data?.items ?? []).map((market) =>
    rowOf({
      kind: 'spot',
      symbol: market.id,
      href: `/trade/${market.id}`,
      tick: market.tick_size,
      name: `${market.base_token}/${market.quote_token}`,
      status: market.status,
      trends: trends.spot,
    }),
  );
  const futures = (perpetuals.data ?? []).map((market) =>
    rowOf({
      kind: 'futures',
      symbol: market.symbol,
      href: `/futures/${market.symbol}`,
      name: texts.perpetual(market.base_asset),
      status: market.status,
      tick: market.tick_size,
      trends: trends.futures,
    }),
  );
  const favourites = lackingOf(query, perpetuals);
  return { spot, futures, queries: { spot: query, futures: perpetuals, favourites } };
}

function Star({ row }: { row: MarketRow }) {
  const isOn = favourites.value.has(row.key);
  return (
    <button
      type="button"
      class="plain small"
      aria-pressed={isOn}
      aria-label={texts.markAsFavourite(row.name)}
      onClick={() => toggleFavourite(row.key)}
    >
      {isOn ? '★' : '☆'}
    </button>
  );
}

const columns: readonly Column<MarketRow>[] = [
  {
    title: texts.market,
    cell: (row) => (
      <>
        <Star row={row} /> <a href={row.href}>{row.name}</a>{' '}
        {row.status !== 'listed' && <span class="tag warn">{row.status}</span>}
      </>
    ),
    text: (row) => row.name,
  },
  {
    title: texts.last,
    isNumber: true,
    cell: (row) => <strong>{formatDecimal(row.last, row.decimals)}</strong>,
    text: (row) => row.last,
  },
  {
    title: '24 h',
    isNumber: true,
    cell: (row) => (
      <span class={directionOf(row.change)}>
        {{ up: '▲ ', down: '▼ ', '': '' }[directionOf(row.change)]}
        {formatSigned(row.change, 2)}
        {row.change === null ? '' : ' %'}
      </span>
    ),
    text: (row) => row.change,
  },
  {
    title: texts.high,
    isNumber: true,
    cell: (row) => formatDecimal(row.high, row.decimals),
    text: (row) => row.high,
  },
  {
    title: texts.low,
    isNumber: true,
    cell: (row) => formatDecimal(row.low, row.decimals),
    text: (row) => row.low,
  },
  {
    title: texts.volumeUSDT,
    isNumber: true,
    cell: (row) => formatDecimal(row.volume, 0),
    text: (row) => row.volume,
  },
  {
    title: texts.trend,
    cell: ({ closes, change }) => <Sparkline closes={closes} change={change} />,
  },
];

/** A click anywhere in a row follows its link. */
function openRow({ target }: MouseEvent): void {
  const element = target as HTMLElement;
  if (element.closest('a, button') !== null) return;
  element.closest('tr')?.querySelector('a')?.click();
}

export function MarketsPage() {
  const { spot, futures, queries } = useRows();
  const lists = {
    spot,
    futures,
    favourites: [...spot, ...futures].filter(({ key }) => favourites.value.has(key)),
  };
  const wanted = search.value.trim().toLowerCase();
  const rows = lists[view.value].filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <main class="page" id="main">
      <h1>{texts.markets}</h1>
      <section class={panelClass(tickersStaleSince.value)} aria-label={texts.markets}>
        <header>
          <Tabs
            label={texts.whichMarkets}
            tabs={[
              { id: 'spot', label: texts.spot(spot.length) },
              { id: 'futures', label: texts.perpetuals(futures.length) },
              { id: 'favourites', label: texts.favourites },
            ]}
            chosen={view.value}
            onChoose={(id) => {
              view.value = id;
            }}
          />
          <div class="row">
            <AgeTag since={tickersStaleSince.value} />
            <label data-key="/">
              <span class="hidden">{texts.searchMarkets}</span>
              <input
                type="search"
                placeholder={texts.search}
                value={search.value}
                onInput={(event) => {
                  search.value = event.currentTarget.value;
                }}
              />
            </label>
            <CsvButton name={`markets-${view.value}`} columns={columns} rows={rows} />
          </div>
        </header>
        <Loaded query={queries[view.value]}>
          {() => (
            <div class="loaded linked" onClick={openRow}>
              <Table
                caption={texts.markets}
                columns={columns}
                rows={rows}
                keyOf={(row) => row.key}
                empty={view.value === 'favourites' ? texts.noFavouritesYet : texts.noMarketFound}
              />
            </div>
          )}
        </Loaded>
      </section>
      <p class="hidden" role="status">
        {wanted === '' ? '' : texts.marketsFound(rows.length)}
      </p>
    </main>
  );
}
