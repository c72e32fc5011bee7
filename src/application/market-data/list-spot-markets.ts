import type { Exchange } from '../ports/exchange.ts';
import { type SpotMarketView, viewSpotMarket } from './market-views.ts';

/**
 * All markets in the order of their creation, including delisted ones.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listSpotMarkets(exchange: Exchange): Promise<readonly SpotMarketView[]> {
  return exchange.read((view) => view.listSpotMarkets().map(viewSpotMarket));
}
