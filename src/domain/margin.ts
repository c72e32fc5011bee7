import { decimalOne } from './decimal.ts';
import { type LeverageBracket, type Rate, rateOne } from './futures-market.ts';
import { bracketOf } from './leverage-brackets.ts';
import { ceilDivide, ceilDivide64, floorDivide, scaleUp64 } from './rounding.ts';

// The arithmetic of values and margins. Money and prices are USDT in 10^-8, prices for one whole
// base asset; sizes are base assets in 10^-18. What an account owes or has to keep is rounded up,
// what it owns is rounded down.

/** The value of a size at a price, rounded down; a negative size has a negative value. */
export function valueDown(size: bigint, price: bigint): bigint {
  return floorDivide(size * price, decimalOne);
}

/** The value of a size at a price, rounded up; the rounding is towards positive infinity. */
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
 * The initial margin rate of what is added to a position at the given open interest, rounded up:
 * 1/L up to half of the largest open interest, from there on 1/L + (1 - 1/L) x share; the
 * share rises to 1 at the largest. Both open interests are USDT in units of 10^-8.
 */
export function initialMarginRate(leverage: number, openInterest: bigint, largest: bigint): Rate {
  const beyond = 2n * openInterest - largest;
  const share = beyond < 0n ? 0n : beyond < largest ? beyond : largest;
  const divisor = BigInt(leverage);
  return ceilDivide(rateOne * (largest + (divisor - 1n) * share), divisor * largest) as Rate;
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
