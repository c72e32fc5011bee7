import { type Amount, toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Lots, MoneyGrid, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';

// What an order would trade at once, found by walking the book as matching does. Slippage is how
// much worse the average price is than the best one, as a fraction of the best.

export interface ScannedLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface BookScan {
  readonly filled: Lots;
  /** What the filled quantity costs or brings. */
  readonly quote: Amount;
  /** Null where nothing fills. */
  readonly bestPrice: Ticks | null;
  readonly worstPrice: Ticks | null;
}

export interface ScanRequest {
  readonly side: Side;
  readonly quantity: Lots;
  /** The worst price that the order takes; null where it takes every price. */
  readonly limit: Ticks | null;
}

/** Walks the opposite side, best level first, until the quantity or the book ends. */
export function scanBook(
  market: MoneyGrid,
  levels: readonly ScannedLevel[],
  { side, quantity, limit }: ScanRequest,
): BookScan {
  let left: number = quantity;
  let quote = 0n;
  let worst: Ticks | null = null;
  for (const level of levels) {
    if (left === 0) break;
    if (limit !== null && isWorse(side, level.price, limit)) break;
    const taken = Math.min(left, level.quantity);
    quote += BigInt(level.price) * BigInt(taken) * market.tickLotAmount;
    worst = level.price;
    left -= taken;
  }
  return {
    filled: (quantity - left) as Lots,
    quote: toAmount(quote),
    bestPrice: worst === null ? null : (levels[0]?.price ?? null),
    worstPrice: worst,
  };
}

export function isWorse(side: Side, price: Ticks, than: Ticks): boolean {
  return side === 'buy' ? price > than : price < than;
}

const decimalOne = 10n ** 18n;

/** The average price against the best one, rounded up; zero where nothing fills. */
export function slippageOf(market: MoneyGrid, { filled, quote, bestPrice }: BookScan): Decimal {
  if (bestPrice === null || filled === 0) return 0n as Decimal;
  const best = BigInt(bestPrice) * BigInt(filled) * market.tickLotAmount;
  const difference = quote > best ? quote - best : best - quote;
  const scaled = difference * decimalOne;
  return ((scaled + best - 1n) / best) as Decimal;
}

/** The worst price within a slippage of the best one; rounded towards the best. */
export function worstPriceWithin(side: Side, best: Ticks, slippage: Decimal): Ticks {
  const move = Number((BigInt(best) * slippage) / decimalOne);
  return (side === 'buy' ? best + move : Math.max(1, best - move)) as Ticks;
}
