import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { SpotMarket } from '../../domain/spot-market.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { EngineView, Exchange } from '../ports/exchange.ts';
import type { SpotRecords } from '../ports/spot-records.ts';

/** What the Binance spot API requires. */
export interface BinanceSpotPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly spotRecords: SpotRecords;
  /** False if SPOT_TRADING_ENABLED is `false`. */
  readonly isSpotTradingEnabled: boolean;
  /** Generates a client order id for an order without one. */
  readonly newClientOrderId: () => string;
  readonly now: () => TimestampMs;
}

/** The market of a symbol, which is case-sensitive. */
export function findSpotMarket(
  { exchange }: Pick<BinanceSpotPorts, 'exchange'>,
  symbol: string,
): SpotMarket | null {
  return exchange.peek((view) => view.findSpotMarket(symbol));
}

/**
 * Reads live state for an account; null if the account is not open yet.
 * @throws EngineBusyError, EngineRestartingError
 */
export function readSpotAccount<T>(
  { exchange }: Pick<BinanceSpotPorts, 'exchange'>,
  address: Address,
  query: (view: EngineView, accountId: AccountId | null) => T,
): Promise<T> {
  return exchange.read((view) => query(view, view.findAccount(address)));
}
