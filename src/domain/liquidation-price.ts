import { decimalOne } from './decimal.ts';
import { type FuturesMarketTerms, type LeverageBracket, rateOne } from './futures-market.ts';
import { bracketOf } from './leverage-brackets.ts';
import { ceilDivide } from './rounding.ts';

// The mark price at which the account's equity equals its maintenance margin, all other markets
// unchanged: with wallet W, other markets' maintenance T and profit U, entry notional E, size S
// (negative if short), and rate m and amount c of the bracket,
//   price = (W - T + U + c - signed E) / (|S| x m - S).
// https://www.binance.com/en/support/faq/b3c689c1f50a44cabb3a84e663b81d93

/** A position, and what its account has besides it; amounts in USDT. */
export interface LiquidationTerms {
  readonly market: Pick<FuturesMarketTerms, 'lotSize'> & {
    readonly brackets: readonly LeverageBracket[];
  };
  /** Lots, negative if short, not zero. */
  readonly quantity: number;
  readonly entryNotional: bigint;
  /** Positive, at the mark price; chooses the bracket. */
  readonly notional: bigint;
  /** The account's equity less its maintenance margin, both without this position. */
  readonly others: bigint;
}

/**
 * USDT for one whole base asset, rounded so that it is reached earlier; null if no price does it.
 */
export function solveLiquidationPrice(terms: LiquidationTerms): bigint | null {
  const { market, quantity, entryNotional, notional, others } = terms;
  const { maintenanceMarginRate: rate, maintenanceAmount } = bracketOf(market.brackets, notional);
  const isLong = quantity > 0;
  const signedEntry = isLong ? entryNotional : -entryNotional;
  const money = others + maintenanceAmount - signedEntry;
  const size = BigInt(Math.abs(quantity)) * market.lotSize;
  // Long: money = -price x size x (1 - m); short: money = price x size x (1 + m).
  const share = isLong ? rateOne - rate : rateOne + rate;
  const dividend = (isLong ? -money : money) * decimalOne * rateOne;
  if (dividend <= 0n) return null;
  const divisor = size * share;
  return isLong ? ceilDivide(dividend, divisor) : dividend / divisor;
}
