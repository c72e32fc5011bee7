import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { SpotHistoryPorts } from '../trading/load-spot-order.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { PublicSpotTradeView } from './market-views.ts';

/**
 * The newest trades of a market, newest first.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listRecentSpotTrades(
  { exchange, barrier, history }: SpotHistoryPorts,
  symbol: string,
  limit: number,
): Promise<Outcome<readonly PublicSpotTradeView[]>> {
  const market = exchange.peek((view) => view.findSpotMarket(symbol));
  if (market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase({ exchange, barrier });
  return done(await history.listRecentTrades(symbol, limit));
}
