import { fromUnits, toUnits } from '@openbourse/client';
import { multiply } from '../number/read-number.ts';

// Profit of positions and of income over time. Amounts are decimal text, sums are whole units.

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

export interface IncomeRow {
  readonly type: string;
  readonly amount: string;
  readonly created_at: string;
}

export interface DayOfIncome {
  /** In UTC, for example 2026-01-31. */
  readonly day: string;
  readonly realized: string;
  readonly funding: string;
  readonly fees: string;
  /** Transfers in minus transfers out. */
  readonly transfers: string;
  /** Profit of trading: realized, funding and fees. */
  readonly profit: string;
  /** The wallet's balance at the end of the day, without unrealized profit. */
  readonly balance: string;
}

interface Sums {
  realized: bigint;
  funding: bigint;
  fees: bigint;
  transfers: bigint;
}

const kinds: Readonly<Record<string, keyof Sums>> = {
  REALIZED_PNL: 'realized',
  FUNDING_FEE: 'funding',
  COMMISSION: 'fees',
  TRANSFER: 'transfers',
  INSURANCE_CLEAR: 'transfers',
};

/** Income by day, newest first; `balance` is the wallet's current balance. */
export function incomeByDay(rows: readonly IncomeRow[], balance: string): readonly DayOfIncome[] {
  const days = new Map<string, Sums>();
  for (const { type, amount, created_at: at } of rows) {
    const day = at.slice(0, 10);
    const sums = days.get(day) ?? { realized: 0n, funding: 0n, fees: 0n, transfers: 0n };
    sums[kinds[type] ?? 'transfers'] += toUnits(amount);
    days.set(day, sums);
  }
  let held = toUnits(balance);
  return [...days]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, { realized, funding, fees, transfers }]) => {
      const profit = realized + funding + fees;
      const atEnd = held;
      held -= profit + transfers;
      return {
        day,
        realized: fromUnits(realized),
        funding: fromUnits(funding),
        fees: fromUnits(fees),
        transfers: fromUnits(transfers),
        profit: fromUnits(profit),
        balance: fromUnits(atEnd),
      };
    });
}
