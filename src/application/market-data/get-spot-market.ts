import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Exchange } from '../ports/exchange.ts';
import { type SpotMarketView, viewSpotMarket } from './market-views.ts';

/** @throws EngineBusyError, EngineRestartingError */
export async function getSpotMarket(
  exchange: Exchange,
  symbol: string,
): Promise<Outcome<SpotMarketView>> {
  return exchange.read((view) => {
    const market = view.findSpotMarket(symbol);
    return market === null ? refused({ reason: 'market_not_found' }) : done(viewSpotMarket(market));
  });
}
