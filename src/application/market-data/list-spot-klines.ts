import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { KlineFilter } from '../ports/spot-history.ts';
import type { SpotHistoryPorts } from '../trading/load-spot-order.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import type { KlineView } from './market-views.ts';

/**
 * A market's candles, oldest first.
 * @throws EngineRestartingError, DatabaseError
 */
export async function listSpotKlines(
  { exchange, barrier, history }: SpotHistoryPorts,
  filter: KlineFilter,
): Promise<Outcome<readonly KlineView[]>> {
  const market = exchange.peek((view) => view.findSpotMarket(filter.symbol));
  if (market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase({ exchange, barrier });
  return done(await history.listKlines(filter));
}
