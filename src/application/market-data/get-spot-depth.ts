import { formatDecimal } from '../../domain/decimal.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { decimalFromLots, decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { BookLevel, Exchange } from '../ports/exchange.ts';
import type { PriceLevelView, SpotDepthView } from './market-views.ts';

/**
 * The best levels of a market's book.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function getSpotDepth(
  exchange: Exchange,
  symbol: string,
  levelsMax: number,
): Promise<Outcome<SpotDepthView>> {
  return exchange.read((view) => {
    const market = view.findSpotMarket(symbol);
    if (market === null) return refused({ reason: 'market_not_found' });
    const depth = view.getDepth(market.marketId, levelsMax);
    return done({
      symbol,
      last_update_id: depth.lastUpdateId,
      bids: depth.bids.map((level) => viewLevel(market, level)),
      asks: depth.asks.map((level) => viewLevel(market, level)),
    });
  });
}

function viewLevel(market: SpotMarket, { price, quantity }: BookLevel): PriceLevelView {
  return [
    formatDecimal(decimalFromTicks(market, price)),
    formatDecimal(decimalFromLots(market, quantity)),
  ];
}
