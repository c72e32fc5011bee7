import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { EngineView, Exchange, ReadBarrier } from '../ports.ts';
import type { FuturesHistory } from '../ports-futures.ts';

/** The data sources of the general derivatives endpoints. */
export interface DerivativePorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly futuresHistory: FuturesHistory;
  readonly now: () => TimestampMs;
}

/** The market of a symbol in any letter case. */
export function findMarket(view: EngineView, symbol: string): FuturesMarket | null {
  return view.futures.findFuturesMarket(symbol.toUpperCase());
}
