import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Exchange } from '../ports/exchange.ts';
import { type SpotOrderView, viewSpotOrder } from './spot-views.ts';

/**
 * The caller's resting orders of one market, or of all if the symbol is null, oldest first.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listOpenSpotOrders(
  exchange: Exchange,
  caller: Address,
  symbol: string | null,
): Promise<Outcome<readonly SpotOrderView[]>> {
  return exchange.read((view) => {
    const market = symbol === null ? null : view.findSpotMarket(symbol);
    if (symbol !== null && market === null) return refused({ reason: 'market_not_found' });
    const accountId = view.findAccount(caller);
    if (accountId === null) return done([]);
    const orders = view.listOpenOrders(accountId, market?.marketId ?? null);
    return done(orders.map((order) => viewSpotOrder(order, view.getSpotMarket(order.marketId))));
  });
}
