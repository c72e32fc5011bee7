import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { CursorPage } from '../ports/database.ts';
import type { SpotTradeFilter } from '../ports/spot-history.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { SpotHistoryPorts } from './load-spot-order.ts';
import type { SpotTradeView } from './spot-views.ts';

/**
 * A page of the caller's trades, newest first, including all from before the request.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listSpotTrades(
  { exchange, barrier, history }: SpotHistoryPorts,
  filter: SpotTradeFilter,
): Promise<Outcome<CursorPage<SpotTradeView>>> {
  const { symbol } = filter;
  const isKnown = symbol === null || exchange.peek((view) => view.findSpotMarket(symbol)) !== null;
  if (!isKnown) return refused({ reason: 'market_not_found' });
  await waitForDatabase({ exchange, barrier });
  return done(await history.listTrades(filter));
}
