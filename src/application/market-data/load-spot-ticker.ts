import { formatDecimal } from '../../domain/decimal.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { BookLevel, EngineView } from '../ports/exchange.ts';
import type { SpotHistoryPorts } from '../trading/load-spot-order.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { SpotTickerView } from './market-views.ts';

export interface SpotTickerPorts extends SpotHistoryPorts {
  readonly now: () => TimestampMs;
}

interface BestPrices {
  readonly symbol: string;
  readonly best_bid: string | null;
  readonly best_ask: string | null;
}

/**
 * A market's last 24 hours with the best prices of its book; none before its first trade.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function loadSpotTicker(
  ports: SpotTickerPorts,
  symbol: string,
): Promise<Outcome<SpotTickerView>> {
  const best = await ports.exchange.read((view) => {
    const market = view.findSpotMarket(symbol);
    return market === null ? null : getBestPrices(view, market);
  });
  if (best === null) return refused({ reason: 'market_not_found' });
  const [ticker] = await loadTickers(ports, [best]);
  return ticker === undefined ? refused({ reason: 'ticker_not_found' }) : done(ticker);
}

/**
 * The tickers of all markets that have traded.
 * @throws EngineBusyError, EngineRestartingError, DatabaseError
 */
export async function listSpotTickers(ports: SpotTickerPorts): Promise<readonly SpotTickerView[]> {
  const bests = await ports.exchange.read((view) =>
    view.listSpotMarkets().map((market) => getBestPrices(view, market)),
  );
  return loadTickers(ports, bests);
}

async function loadTickers(
  { exchange, barrier, history, now }: SpotTickerPorts,
  bests: readonly BestPrices[],
): Promise<SpotTickerView[]> {
  await waitForDatabase({ exchange, barrier });
  const symbols = bests.map(({ symbol }) => symbol);
  const statistics = await history.listTickers(symbols, now());
  return bests.flatMap((best) => {
    const found = statistics.get(best.symbol);
    return found === undefined ? [] : [{ ...best, ...found }];
  });
}

function getBestPrices(view: EngineView, market: SpotMarket): BestPrices {
  const { bids, asks } = view.getDepth(market.marketId, 1);
  return {
    symbol: market.symbol,
    best_bid: viewPrice(market, bids[0]),
    best_ask: viewPrice(market, asks[0]),
  };
}

function viewPrice(market: SpotMarket, level: BookLevel | undefined): string | null {
  return level === undefined ? null : formatDecimal(decimalFromTicks(market, level.price));
}
