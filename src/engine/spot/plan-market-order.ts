import { amountMax } from '../../domain/amount.ts';
import { type BookSide, buySide, sellSide } from '../book/order-book.ts';
import { beyondRange, type SpotMarketState } from './spot-market-state.ts';

/** What a market order trades. */
export interface MarketPlan {
  /** 0 if its money is less than a lot costs. */
  readonly lots: number;
  /** False if the levels that it sees have too little for it. */
  readonly isWhole: boolean;
  /** What a buy costs at most, or `beyondRange`. */
  readonly cost: bigint;
}

/**
 * The whole lots that an order of the side trades for the money, level by level from the best
 * price: the quantity of a market order whose size is given as money. Leftover money is not spent
 * at a worse price. `funds` is what the account pays with; it refuses an order that needs more, so
 * the scan ends there: for an account without money, the depth of a book costs the engine nothing.
 * For one with money it ends after the first `levelsMax` levels, since the order may be refused
 * afterwards.
 */
export function planByMoney(
  market: SpotMarketState,
  side: BookSide,
  money: bigint,
  funds: bigint,
  levelsMax: number,
): MarketPlan {
  const isBuy = side === buySide;
  let lots = 0;
  let left = money;
  let isWhole = false;
  let levelsLeft = levelsMax;
  if (isBuy && money > funds) return { lots, isWhole, cost: money };
  market.book.visitLevels(isBuy ? sellSide : buySide, (price, resting) => {
    if (levelsLeft === 0) return false;
    levelsLeft -= 1;
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
  return { lots, isWhole, cost: money };
}

/**
 * The lots and the cost of a market buy of the quantity, as far as the first `levelsMax` asks go;
 * once it exceeds the buyer's funds, at least as much as it costs so far.
 */
export function planBuying(
  market: SpotMarketState,
  quantity: number,
  funds: bigint,
  levelsMax: number,
): MarketPlan {
  let cost = 0n;
  let left = quantity;
  let levelsLeft = levelsMax;
  market.book.visitLevels(sellSide, (price, resting) => {
    if (levelsLeft === 0) return false;
    levelsLeft -= 1;
    const lots = Math.min(left, resting);
    const part = market.quoteAmount(price, lots);
    cost = part === beyondRange ? amountMax + 1n : cost + part;
    left -= lots;
    return left > 0 && cost <= funds;
  });
  return {
    lots: quantity - left,
    isWhole: left === 0,
    cost: cost > amountMax ? beyondRange : BigInt.asIntN(64, cost),
  };
}

function exceeds(amount: bigint, funds: bigint): boolean {
  return amount === beyondRange || amount > funds;
}
