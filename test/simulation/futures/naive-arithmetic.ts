import { assert } from '../../../src/domain/assert.ts';
import type { LeverageBracket } from '../../../src/domain/futures-market.ts';
import type { FeeTermsView } from '../../../src/engine/futures-view.ts';

const rateOne = 10n ** 9n;

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  const down = dividend / divisor;
  return down * divisor < dividend ? down + 1n : down;
}

export function isBetween(value: bigint, middle: bigint, reach: bigint): boolean {
  return value >= middle - reach && value <= middle + reach;
}

export function notBelowZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}

export function lowest(...values: readonly bigint[]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}

export function maintenanceOf(brackets: readonly LeverageBracket[], notional: bigint): bigint {
  if (notional === 0n) return 0n;
  const bracket = [...brackets].reverse().find(({ notionalFloor }) => notional >= notionalFloor);
  assert(bracket !== undefined, 'brackets begin at nothing');
  return divideUp(notional * bracket.maintenanceMarginRate, rateOne) - bracket.maintenanceAmount;
}

/** Margin figures of an account in one market; all in 10^-8 USDT. */
export interface Need {
  readonly notional: bigint;
  readonly profit: bigint;
  readonly initial: bigint;
  readonly maintenance: bigint;
  readonly orders: bigint;
}

/** One position's payment of an hour, above zero received. */
export interface Unpaid {
  readonly accountId: number;
  readonly fundingTime: number;
  readonly amount: bigint;
}

export function sumOf(payments: readonly Unpaid[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}

export const noDiscount: FeeTermsView = {
  vipTier: 0,
  vipMultiplierTenths: 10,
  referralDiscountBps: 0,
};
