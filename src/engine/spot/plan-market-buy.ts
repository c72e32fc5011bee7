import { sellSide } from '../book/order-book.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

/**
 * The whole lots that the money buys, level by level from the best ask: the quantity of the order
 * that a market buy amounts to. 0 where it buys none.
 */
export function planMarketBuy(market: SpotMarketState, quoteQuantity: bigint): number {
  let lots = 0;
  let left = quoteQuantity;
  market.book.visitLevels(sellSide, (price, resting) => {
    const lotCost = market.quoteAmount(price, 1);
    if (lotCost === beyondRange) return false;
    const affordable = left / lotCost;
    if (affordable < BigInt(resting)) {
      lots += Number(affordable);
      return false;
    }
    lots += resting;
    left -= lotCost * BigInt(resting);
    return true;
  });
  return lots;
}
