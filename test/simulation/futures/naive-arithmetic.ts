import { assert } from '../../../src/domain/assert.ts';
import type { LeverageBracket } from '../../../src/domain/futures-market.ts';

const rateOne = 10n ** 9n;

export function divideUp(dividend: bigint, divisor: bigint): bigint {
  const down = dividend / divisor;
  return down * divisor < dividend ? down + 1n : down;
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
