import { amountMax } from '../../domain/amount.ts';
import { type BookSide, buySide, sellSide } from '../book/order-book.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

/** The quantity that an amount of money buys or sells. */
export interface MoneyPlan {
  /** 0 if the money is less than a lot costs. */
  readonly lots: number;
  /** False if the side has too little for the money. */
  readonly isWhole: boolean;
}

/**
 * The whole lots that an order of the side trades for the money, level by level from the best
 * price: the quantity of a market order whose size is given as money. Leftover money is not spent
 * at a worse price. `funds` is what the account pays with; it refuses an order that needs more, so
 * the scan ends there: for an account without money, the depth of a book costs the engine nothing.
 */
export function planByMoney(
  market: SpotMarketState,
  side: BookSide,
  money: bigint,
  funds: bigint,
): MoneyPlan {
  const isBuy = side === buySide;
  let lots = 0;
  let left = money;
  let isWhole = false;
  if (isBuy && money > funds) return { lots, isWhole };
  market.book.visitLevels(isBuy ? sellSide : buySide, (price, resting) => {
    if (!isBuy && exceeds(market.baseAmount(lots), funds)) return false;
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

/**
 * The cost of a market buy of the quantity, as far as the asks reach, or `beyondRange`; once it
 * exceeds the buyer's funds, at least as much as it costs so far.
 */
export function costOfBuying(market: SpotMarketState, quantity: number, funds: bigint): bigint {
  let cost = 0n;
  let left = quantity;
  market.book.visitLevels(sellSide, (price, resting) => {
    const lots = Math.min(left, resting);
    const part = market.quoteAmount(price, lots);
    cost = part === beyondRange ? amountMax + 1n : cost + part;
    left -= lots;
    return left > 0 && cost <= funds;
  });
  return cost > amountMax ? beyondRange : BigInt.asIntN(64, cost);
}

function exceeds(amount: bigint, funds: bigint): boolean {
  return amount === beyondRange || amount > funds;
}
