import {
  type BinanceSpotPorts,
  readSpotAccount,
} from '../../../application/trading/binance-spot-ports.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import type { AccountId, Address, MarketId } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { Answer } from '../endpoint.ts';
import type { Span } from './read-span.ts';

interface OwnQuery<From> {
  readonly market: SpotMarket;
  /** The record to start with; null: by the span alone. */
  readonly from: From | null;
  readonly limit: number;
  readonly span: Span;
}

interface OwnFilter<From> extends Span {
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly from: From | null;
  readonly limit: number;
  readonly order: 'oldest_first' | 'newest_first';
}

/**
 * An account's records in a market, oldest first: from a record or a start on, otherwise the newest
 * ones. An address without an account has none.
 *
 * @throws DatabaseError
 */
export async function listOwn<From, Row>(
  ports: BinanceSpotPorts,
  address: Address,
  { market, from, limit, span }: OwnQuery<From>,
  {
    list,
    show,
  }: {
    list(this: void, filter: OwnFilter<From>): Promise<readonly Row[]>;
    show(this: void, market: SpotMarket, row: Row): unknown;
  },
): Promise<Answer<unknown>> {
  const accountId = await readSpotAccount(ports, address, (_view, found) => found);
  if (accountId === null) return done([]);
  await waitForDatabase(ports);
  const isForward = from !== null || span.startTime !== null;
  const order = isForward ? 'oldest_first' : 'newest_first';
  const { marketId } = market;
  const found = await list({ accountId, marketId, from, limit, ...span, order });
  const ordered = isForward ? found : [...found].reverse();
  return done(ordered.map((row) => show(market, row)));
}
