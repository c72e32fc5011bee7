import { type Amount, toAmount } from '../../domain/amount.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { decimalOne } from '../../domain/decimal.ts';
import { ceilDivide } from '../../domain/rounding.ts';
import type { Lots, MoneyGrid, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';

// What an order would trade immediately, computed by walking the book as matching does. Slippage is
// the distance of the average price from the best price, as a fraction of the best.

/** The total quantity at one price of the book. */
export interface ScannedLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** What the order would trade now, in lots and ticks of its market. */
export interface BookScan {
  readonly filled: Lots;
  /** The cost or proceeds of the filled quantity, in the quote token. */
  readonly quote: Amount;
  /** Null if nothing fills. */
  readonly bestPrice: Ticks | null;
  readonly worstPrice: Ticks | null;
}

/** The order to scan the book for. */
export interface ScanRequest {
  readonly side: Side;
  readonly quantity: Lots;
  /** The worst price that the order accepts; null if it accepts any. */
  readonly limit: Ticks | null;
}

// Most orders end in the first levels; a copy of all of a deep book for each would stall trading.
const nearLevels = 100;
/** An order of a perpetual meets at most this many resting orders. */
const levelsMax = 10_000;

/**
 * Scans the best levels, and more of them only if the scan goes through all of these: at most
 * 10,000.
 */
export function scanLevels<T extends ScannedLevel>(
  listLevels: (levelsMax: number) => readonly T[],
  scan: (levels: readonly T[]) => BookScan,
): BookScan {
  const near = listLevels(nearLevels);
  const scanned = scan(near);
  const isWithin = near.length < nearLevels || scanned.worstPrice !== near.at(-1)?.price;
  return isWithin ? scanned : scan(listLevels(levelsMax));
}

/**
 * Walks the opposite side from the best level until the quantity is filled, the limit is passed or
 * the book ends. Levels are ordered best first.
 */
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

/**
 * The same for a buy whose size is given as money: whole lots, level by level, until the rest does
 * not buy a lot of the level that it has reached.
 */
export function scanByMoney(
  market: MoneyGrid,
  asks: readonly ScannedLevel[],
  money: Amount,
): BookScan {
  let left: bigint = money;
  let filled = 0;
  let worst: Ticks | null = null;
  for (const { price, quantity } of asks) {
    const lotCost = BigInt(price) * market.tickLotAmount;
    const affordable = left / lotCost;
    const taken = affordable < BigInt(quantity) ? Number(affordable) : quantity;
    if (taken === 0) break;
    filled += taken;
    left -= lotCost * BigInt(taken);
    worst = price;
    if (taken < quantity) break;
  }
  return {
    filled: filled as Lots,
    quote: toAmount(money - left),
    bestPrice: worst === null ? null : (asks[0]?.price ?? null),
    worstPrice: worst,
  };
}

/** Whether a price is worse than another for an order of this side. */
export function isWorse(side: Side, price: Ticks, than: Ticks): boolean {
  return side === 'buy' ? price > than : price < than;
}

/** The slippage of a scan, rounded up; zero if nothing fills. */
export function slippageOf(market: MoneyGrid, { filled, quote, bestPrice }: BookScan): Decimal {
  if (bestPrice === null || filled === 0) return 0n as Decimal;
  const best = BigInt(bestPrice) * BigInt(filled) * market.tickLotAmount;
  const difference = quote > best ? quote - best : best - quote;
  return ceilDivide(difference * decimalOne, best) as Decimal;
}

/** The worst price within a slippage of the best, rounded towards the best; at least 1 tick. */
export function worstPriceWithin(side: Side, best: Ticks, slippage: Decimal): Ticks {
  const move = Number((BigInt(best) * slippage) / decimalOne);
  return (side === 'buy' ? best + move : Math.max(1, best - move)) as Ticks;
}
