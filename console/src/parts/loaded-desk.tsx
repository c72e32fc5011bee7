import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChild } from 'preact';
import * as texts from '../text/en/desk.ts';
import { foreignText } from '../text/foreign.ts';
import { Loaded } from './table.tsx';

export interface LoadedDeskProps<Markets> {
  readonly query: QueryObserverResult<Markets>;
  readonly symbol: string;
  /** Shows the market's desk; null: there is no such market. */
  readonly children: (markets: Markets) => ComponentChild;
}

/** The desk of a market; until the markets are there, and where it is none of them, a page. */
export function LoadedDesk<Markets>({ query, symbol, children }: LoadedDeskProps<Markets>) {
  const desk = query.data === undefined ? null : children(query.data);
  if (desk !== null) return <Loaded query={query}>{() => desk}</Loaded>;
  return (
    <main class="page" id="main">
      <h1>{foreignText(symbol)}</h1>
      <Loaded query={query}>
        {() => (
          <p class="empty">
            {texts.noSuchMarket} <a href="/">{texts.allMarkets}</a>
          </p>
        )}
      </Loaded>
    </main>
  );
}
