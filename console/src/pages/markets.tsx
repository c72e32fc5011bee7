import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useApi } from '../api/query.ts';
import { favourites, toggleFavourite } from '../feed/preferences.ts';
import { decimalsOf, directionOf, formatDecimal, formatSigned } from '../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';

type SpotMarket = Answer<'GET /api/v1/spot/markets'>['items'][number];
type FuturesMarket = Answer<'GET /api/v1/markets'>[number];

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
}

const view = signal<'spot' | 'futures' | 'favourites'>('spot');
const search = signal('');
const everyMs = 5_000;

function useRows(): {
  spot: readonly MarketRow[];
  futures: readonly MarketRow[];
  query: ReturnType<typeof useApi<'GET /api/v1/spot/markets'>>;
} {
  const query = useApi('GET /api/v1/spot/markets', {}, { every: 30_000 });
  const tickers = useApi('GET /api/v1/spot/ticker/24hr', {}, { every: everyMs });
  const perpetuals = useApi('GET /api/v1/markets', {}, { every: everyMs });
  const futuresTickers = useApi('GET /fapi/v1/ticker/24hr', {}, { every: everyMs });
  const spotTickers = [tickers.data ?? []].flat();
  const spot = (query.data?.items ?? []).map((market: SpotMarket) => {
    const ticker = spotTickers.find(({ symbol }) => symbol === market.id);
    return {
      ...{ key: `spot ${market.id}`, href: `/trade/${market.id}`, status: market.status },
      ...{
        name: `${market.base_token}/${market.quote_token}`,
        decimals: decimalsOf(market.tick_size),
      },
      ...{ last: ticker?.last_price ?? null, change: ticker?.price_change_percent ?? null },
      ...{ high: ticker?.high_price ?? null, low: ticker?.low_price ?? null },
      volume: ticker?.quote_volume ?? null,
    };
  });
  const all = [futuresTickers.data ?? []].flat() as unknown as readonly Readonly<
    Record<string, string>
  >[];
  const futures = (perpetuals.data ?? []).map((market: FuturesMarket) => {
    const ticker = all.find((each) => each['symbol'] === market.symbol);
    return {
      ...{
        key: `futures ${market.symbol}`,
        href: `/futures/${market.symbol}`,
        status: market.status,
      },
      ...{ name: `${market.base_asset} perpetual`, decimals: decimalsOf(market.tick_size) },
      ...{ last: market.last_price, change: ticker?.['priceChangePercent'] ?? null },
      ...{ high: ticker?.['highPrice'] ?? null, low: ticker?.['lowPrice'] ?? null },
      volume: ticker?.['quoteVolume'] ?? null,
    };
  });
  return { spot, futures, query };
}

function Star({ row }: { row: MarketRow }) {
  const isOn = favourites.value.has(row.key);
  return (
    <button
      type="button"
      class="plain small"
      aria-pressed={isOn}
      aria-label={`${row.name} as a favourite`}
      onClick={() => toggleFavourite(row.key)}
    >
      {isOn ? '★' : '☆'}
    </button>
  );
}

const columns: readonly Column<MarketRow>[] = [
  {
    title: 'Market',
    cell: (row) => (
      <>
        <Star row={row} /> <a href={row.href}>{row.name}</a>{' '}
        {row.status !== 'listed' && <span class="tag warn">{row.status}</span>}
      </>
    ),
    text: (row) => row.name,
  },
  {
    title: 'Last',
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
    title: 'High',
    isNumber: true,
    cell: (row) => formatDecimal(row.high, row.decimals),
    text: (row) => row.high,
  },
  {
    title: 'Low',
    isNumber: true,
    cell: (row) => formatDecimal(row.low, row.decimals),
    text: (row) => row.low,
  },
  {
    title: 'Volume (USDT)',
    isNumber: true,
    cell: (row) => formatDecimal(row.volume, 0),
    text: (row) => row.volume,
  },
];

export function MarketsPage() {
  const { spot, futures, query } = useRows();
  const lists = {
    spot,
    futures,
    favourites: [...spot, ...futures].filter(({ key }) => favourites.value.has(key)),
  };
  const wanted = search.value.trim().toLowerCase();
  const rows = lists[view.value].filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <main class="page" id="main">
      <h1>Markets</h1>
      <section class="panel" aria-label="Markets">
        <header>
          <Tabs
            label="Which markets"
            tabs={[
              { id: 'spot', label: `Spot ${spot.length}` },
              { id: 'futures', label: `Perpetuals ${futures.length}` },
              { id: 'favourites', label: 'Favourites' },
            ]}
            chosen={view.value}
            onChoose={(id) => {
              view.value = id;
            }}
          />
          <div class="row">
            <label data-key="/">
              <span class="hidden">Search markets</span>
              <input
                type="search"
                placeholder="Search"
                value={search.value}
                onInput={(event) => {
                  search.value = event.currentTarget.value;
                }}
              />
            </label>
            <CsvButton name={`markets-${view.value}`} columns={columns} rows={rows} />
          </div>
        </header>
        <Loaded query={query}>
          {() => (
            <Table
              caption="Markets"
              columns={columns}
              rows={rows}
              keyOf={(row) => row.key}
              empty={
                view.value === 'favourites'
                  ? 'No favourites yet. The star before a market makes it one.'
                  : 'No such market.'
              }
            />
          )}
        </Loaded>
      </section>
      <p class="hidden" role="status">
        {wanted === '' ? '' : `${rows.length} markets found`}
      </p>
    </main>
  );
}
