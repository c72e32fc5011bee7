import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { EngineView, Exchange } from '../ports/exchange.ts';
import type { FuturesHistory } from '../ports/futures-history.ts';
import type { MarketStatistics } from './market-statistics.ts';

/** What reading futures requires. */
export interface FuturesReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly futuresHistory: FuturesHistory;
  readonly now: () => TimestampMs;
}

/** What trading futures, and reading them as Binance's clients do, requires. */
export interface FuturesPorts extends FuturesReadPorts {
  readonly marketStatistics: MarketStatistics;
  /** Generates a client order id for an order without one. */
  readonly newClientOrderId: () => string;
}

/** The market of a symbol in any letter case. */
export function findMarket(view: EngineView, symbol: string): FuturesMarket | null {
  return view.futures.findFuturesMarket(symbol.toUpperCase());
}

/** The same from the live state, durable or not. */
export function peekMarket(
  { exchange }: Pick<FuturesPorts, 'exchange'>,
  symbol: string,
): FuturesMarket | null {
  return exchange.peek((view) => findMarket(view, symbol));
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
