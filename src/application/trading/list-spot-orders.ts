import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { CursorPage } from '../ports/database.ts';
import type { SpotOrderFilter } from '../ports/spot-history.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { SpotHistoryPorts } from './load-spot-order.ts';
import type { SpotOrderView } from './spot-views.ts';

/**
 * A page of the caller's live and finished orders, newest first, as of the request or later.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listSpotOrders(
  { exchange, barrier, history }: SpotHistoryPorts,
  filter: SpotOrderFilter,
): Promise<Outcome<CursorPage<SpotOrderView>>> {
  const { symbol } = filter;
  const isKnown = symbol === null || exchange.peek((view) => view.findSpotMarket(symbol)) !== null;
  if (!isKnown) return refused({ reason: 'market_not_found' });
  await waitForDatabase({ exchange, barrier });
  return done(await history.listOrders(filter));
}
