import type { Channels } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { stream } from '../api/api.ts';
import { refresh } from '../api/query.ts';
import type { MarketKind, Ticker } from './market.ts';

// The channels over all markets: which markets exist, whether they trade, and their tickers.

type MarketStatus = Channels['markets']['snapshot'][number];

type Tickers = ReadonlyMap<string, Ticker>;

const statuses = signal<ReadonlyMap<string, MarketStatus['status']>>(new Map());

/** A market's streamed status; until there is one, the status that was read with its terms. */
export function statusOf(
  kind: MarketKind,
  symbol: string,
  read: MarketStatus['status'],
): MarketStatus['status'] {
  return statuses.value.get(`${kind} ${symbol}`) ?? read;
}

stream.subscribe(
  { channel: 'markets' },
  {
    onMessage: ({ type, data }) => {
      const told = data.map(
        ({ market, symbol, status }) => [`${market} ${symbol}`, status] as const,
      );
      const isNew = told.some(([key]) => !statuses.value.has(key));
      statuses.value = new Map(type === 'snapshot' ? told : [...statuses.value, ...told]);
      // The terms of a new market are read like those of the others.
      if (type === 'update' && isNew) refresh('GET /api/v1/spot/markets', 'GET /api/v1/markets');
    },
  },
);

export const tickers: Readonly<Record<MarketKind, ReturnType<typeof signal<Tickers>>>> = {
  spot: signal<Tickers>(new Map()),
  futures: signal<Tickers>(new Map()),
};

/** Since when the tickers are not followed; null: they are up to date. */
export const tickersStaleSince = signal<number | null>(null);

function listen(market: MarketKind): () => void {
  const held = tickers[market];
  return stream.subscribe(
    { channel: 'tickers', market },
    {
      onMessage: ({ type, data }) => {
        const told = data.map((each) => [each.symbol, each] as const);
        held.value = new Map(type === 'snapshot' ? told : [...(held.value ?? []), ...told]);
        tickersStaleSince.value = null;
      },
      onStale: () => {
        tickersStaleSince.value ??= Date.now();
      },
    },
  );
}

/** Subscribes to all tickers for as long as a page shows them. */
export function useTickers(): void {
  useEffect(() => {
    const endings = [listen('spot'), listen('futures')];
    return () => endings.forEach((end) => end());
  }, []);
}
