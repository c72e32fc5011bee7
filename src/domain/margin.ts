import { decimalOne } from './decimal.ts';
import { type LeverageBracket, rateOne } from './futures-market.ts';
import { bracketOf } from './leverage-brackets.ts';
import { ceilDivide, ceilDivide64, floorDivide, scaleUp64 } from './rounding.ts';

// The arithmetic of values and margins. Money and prices are USDT in 10^-8, prices for one whole
// base asset; sizes are base assets in 10^-18. What an account owes or has to keep is rounded up,
// what it owns is rounded down.

/** The value of a size at a price, rounded down; a negative size has a negative value. */
export function valueDown(size: bigint, price: bigint): bigint {
  return floorDivide(size * price, decimalOne);
}

/** The same, rounded up. */
export function valueUp(size: bigint, price: bigint): bigint {
  return ceilDivide(size * price, decimalOne);
}

/** The initial margin of a notional: notional / leverage, rounded up. */
export function initialMargin(notional: bigint, leverage: number): bigint {
  return ceilDivide(notional, BigInt(leverage));
}

/** The same within 64 bits: for a notional of at most 2^62, with the leverage as a bigint. */
export function initialMargin64(notional: bigint, leverage: bigint): bigint {
  return ceilDivide64(notional, leverage);
}

/**
 * What a notional that needs margin in full adds to notional / leverage: notional x (1 - 1/L),
 * rounded up.
 */
export function raisedMargin(notional: bigint, leverage: number): bigint {
  if (notional === 0n) return 0n;
  const divisor = BigInt(leverage);
  return ceilDivide(notional * (divisor - 1n), divisor);
}

/**
 * Maintenance margin of a notional: notional x rate - amount of its bracket, rounded up. Computed
 * within 64 bits.
 * https://www.binance.com/en/support/faq/leverage-and-margin-of-usd%E2%93%A2-m-futures-360033162192
 */
export function maintenanceMargin(brackets: readonly LeverageBracket[], notional: bigint): bigint {
  const size = BigInt.asIntN(64, notional);
  if (size === 0n) return 0n;
  const { maintenanceMarginRate, maintenanceAmount } = bracketOf(brackets, size);
  const scaled = scaleUp64(size, maintenanceMarginRate, rateOne);
  return BigInt.asIntN(64, scaled - BigInt.asIntN(64, maintenanceAmount));
}
