import type { PriceMatch } from '../../../domain/futures-order.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { Ticks } from '../../../domain/spot-market.ts';
import { buySide, sellSide } from '../../book/order-book.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { type LiveOrder, leftOf } from './live-order.ts';

// An order with a priceMatch takes its price from the book when its turn comes: when it is placed
// or amended, or when it triggers. From then on it is a limit order at that price.

interface Place {
  readonly isOpponent: boolean;
  /** 1 is the best price of the side. */
  readonly level: number;
}

const places: Readonly<Record<Exclude<PriceMatch, 'none'>, Place>> = {
  opponent: { isOpponent: true, level: 1 },
  opponent_5: { isOpponent: true, level: 5 },
  opponent_10: { isOpponent: true, level: 10 },
  opponent_20: { isOpponent: true, level: 20 },
  queue: { isOpponent: false, level: 1 },
  queue_5: { isOpponent: false, level: 5 },
  queue_10: { isOpponent: false, level: 10 },
  queue_20: { isOpponent: false, level: 20 },
};

/** Prices begin at 1. */
const noPrice = 0;

/**
 * Sets the order's price from the book, or rejects it if there is none. An amended order is placed
 * again, so its own lots do not count as a level: `resting` is that order in the book.
 */
export function matchPrice(
  market: FuturesMarketState,
  order: LiveOrder,
  resting: LiveOrder | null = null,
): Rejection | null {
  if (order.priceMatch === 'none' || order.price !== null) return null;
  const { isOpponent, level } = places[order.priceMatch];
  const side = isOpponent === (order.side === 'buy') ? sellSide : buySide;
  let found = 0;
  let matched = noPrice;
  market.book.visitLevels(side, (price, quantity) => {
    if (resting !== null && resting.price === price && quantity === leftOf(resting)) return true;
    found += 1;
    if (found === level) matched = price;
    return found < level;
  });
  if (matched === noPrice) return { reason: 'no_price_to_match' };
  order.price = matched as Ticks;
  return null;
}
