import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';

/**
 * The facts about one account and one UTC day that points depend on. Facts are sums, so a day can
 * be counted in any number of parts: the points depend on the sum only.
 */
export interface DayFacts {
  /** USDT that the account paid in trading fees. */
  readonly feesPaid: Amount;
  /** USDT that its direct referees paid in trading fees. */
  readonly refereeFees: Amount;
  /** USDT before fees, losses subtracted. */
  readonly realizedProfit: Amount;
  /** Value of open positions times the time they were open, in 10^-26 USDT x milliseconds. */
  readonly valueHeld: bigint;
}

export const noFacts: DayFacts = {
  feesPaid: zeroAmount,
  refereeFees: zeroAmount,
  realizedProfit: zeroAmount,
  valueHeld: 0n,
};

/** Adds facts to facts of the same account and day; a missing field counts as zero. */
export function addFacts(left: DayFacts, right: Partial<DayFacts>): DayFacts {
  return {
    feesPaid: toAmount(left.feesPaid + (right.feesPaid ?? 0n)),
    refereeFees: toAmount(left.refereeFees + (right.refereeFees ?? 0n)),
    realizedProfit: toAmount(left.realizedProfit + (right.realizedProfit ?? 0n)),
    valueHeld: left.valueHeld + (right.valueHeld ?? 0n),
  };
}
