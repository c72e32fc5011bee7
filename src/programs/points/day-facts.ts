import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';

/**
 * What one account did in one UTC day, as far as points depend on it. Facts are sums, so a day can
 * be counted in any portions: the points of the sum do not depend on how it came together.
 */
export interface DayFacts {
  /** USDT that the account paid in fees. */
  readonly feesPaid: Amount;
  /** USDT that its direct referees paid in fees. */
  readonly refereeFees: Amount;
  /** USDT before fees, losses subtracted. */
  readonly realizedProfit: Amount;
  /** Value of open positions times how long it stood: 10^-26 USDT times milliseconds. */
  readonly valueHeld: bigint;
}

export const noFacts: DayFacts = {
  feesPaid: zeroAmount,
  refereeFees: zeroAmount,
  realizedProfit: zeroAmount,
  valueHeld: 0n,
};

export function addFacts(left: DayFacts, right: Partial<DayFacts>): DayFacts {
  return {
    feesPaid: toAmount(left.feesPaid + (right.feesPaid ?? 0n)),
    refereeFees: toAmount(left.refereeFees + (right.refereeFees ?? 0n)),
    realizedProfit: toAmount(left.realizedProfit + (right.realizedProfit ?? 0n)),
    valueHeld: left.valueHeld + (right.valueHeld ?? 0n),
  };
}
