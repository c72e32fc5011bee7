import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { EngineView, Exchange, ReadBarrier } from '../ports.ts';
import type { FuturesHistory } from '../ports-futures.ts';
import type { MarketStatistics } from './market-statistics.ts';

/** What trading and reading futures requires. */
export interface FuturesPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly futuresHistory: FuturesHistory;
  readonly marketStatistics: MarketStatistics;
  /** Generates a client order id for an order without one. */
  readonly newClientOrderId: () => string;
  readonly now: () => TimestampMs;
}

/** The market of a symbol in any letter case. */
export function findFuturesMarket(
  { exchange }: FuturesPorts,
  symbol: string,
): FuturesMarket | null {
  return exchange.peek((view) => view.futures.findFuturesMarket(symbol.toUpperCase()));
}

/** The account almost always exists; looking it up first saves an order a round trip. */
export function recallAccount(
  { exchange }: Pick<FuturesPorts, 'exchange'>,
  address: Address,
): AccountId | null {
  return exchange.peek((view) => view.findAccount(address));
}

/**
 * Reads live state for an account; null if the account is not open yet.
 * @throws EngineBusyError, EngineRestartingError
 */
export function readAccount<T>(
  { exchange }: FuturesPorts,
  address: Address,
  query: (view: EngineView, accountId: AccountId | null) => T,
): Promise<T> {
  return exchange.read((view) => query(view, view.findAccount(address)));
}
