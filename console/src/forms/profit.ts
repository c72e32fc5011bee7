import { fromUnits, toUnits } from '@openbourse/client';
import { divide, multiply } from '../number/read-number.ts';

// Profit of positions and over time. Amounts are decimal text, sums are whole units.

export interface HeldPosition {
  /** Negative for a short. */
  readonly quantity: string;
  readonly entry_price: string | null;
}

/** A position's size without its sign. */
export function sizeOf({ quantity }: { readonly quantity: string }): string {
  return quantity.replace(/^-/, '');
}

/** What a position would gain at a price, in USDT; null if either price is unknown. */
export function profitAt(position: HeldPosition, price: string | null): string | null {
  const { quantity, entry_price: entry } = position;
  if (entry === null || price === null) return null;
  return fromUnits(multiply(toUnits(price) - toUnits(entry), toUnits(quantity)));
}

/** A profit in percent of a margin, cut to two decimals; null if there is no margin. */
export function percentOf(profit: string, margin: string | null): string | null {
  if (margin === null || toUnits(margin) === 0n) return null;
  const percent = divide(toUnits(profit) * 100n, toUnits(margin));
  return fromUnits(percent - (percent % 1_000_000n));
}

/** The sum up to and including each amount, from the first one on. */
export function runningSums(amounts: readonly string[]): readonly string[] {
  let sum = 0n;
  return amounts.map((amount) => {
    sum += toUnits(amount);
    return fromUnits(sum);
  });
}
