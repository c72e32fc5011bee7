import { amountMax } from '../../domain/amount.ts';
import { type BookSide, sellSide } from '../book/order-book.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

/** The quantity that an amount of money buys or sells. */
export interface MoneyPlan {
  /** 0 if the money is less than a lot costs. */
  readonly lots: number;
  /** False if the side has too little for the money. */
  readonly isWhole: boolean;
}

/**
 * The whole lots that trade for the money, level by level from the best price of the side: the
 * quantity of a market order whose size is given as money. Leftover money is not spent at a worse
 * price.
 */
export function planByMoney(market: SpotMarketState, side: BookSide, money: bigint): MoneyPlan {
  let lots = 0;
  let left = money;
  let isWhole = false;
  market.book.visitLevels(side, (price, resting) => {
    const lotCost = market.quoteAmount(price, 1);
    if (lotCost === beyondRange) return false;
    const affordable = left / lotCost;
    if (affordable <= BigInt(resting)) {
      lots += Number(affordable);
      isWhole = true;
      return false;
    }
    lots += resting;
    left -= lotCost * BigInt(resting);
    return true;
  });
  return { lots, isWhole };
}

/** The cost of a market buy of the quantity, as far as the asks reach, or `beyondRange`. */
export function costOfBuying(market: SpotMarketState, quantity: number): bigint {
  let cost = 0n;
  let left = quantity;
  market.book.visitLevels(sellSide, (price, resting) => {
    const lots = Math.min(left, resting);
    const part = market.quoteAmount(price, lots);
    cost = part === beyondRange ? amountMax + 1n : cost + part;
    left -= lots;
    return left > 0 && cost <= amountMax;
  });
  return cost > amountMax ? beyondRange : BigInt.asIntN(64, cost);
}
