import type { Ratio } from '../../domain/amount.ts';
import type { DayFacts } from './day-facts.ts';
import type { Points } from './points.ts';
import type { PointsType } from './points-types.ts';

/** Points per unit of each fact, as ratios. */
export interface PointsRates {
  /** Per USDT of fee. */
  readonly perFee: Ratio;
  /** Per USDT of realized profit. */
  readonly perProfit: Ratio;
  /** Per USDT of position value held for one hour. */
  readonly perValueHour: Ratio;
  /** Maximum of profit and position points together, per USDT of fee paid in the epoch. */
  readonly perFeeMax: Ratio;
  /** Share of the referees' trading points. */
  readonly ofReferees: Ratio;
}

/** Converts an account's facts of a whole day into points of one type, rounded down. */
export interface PointsRule {
  readonly type: PointsType;
  readonly count: (facts: DayFacts, rates: PointsRates) => Points;
}

/** The rates of contract.md section 7. */
export const defaultPointsRates: PointsRates = {
  perFee: { numerator: 1n, denominator: 1n },
  perProfit: { numerator: 1n, denominator: 10n },
  perValueHour: { numerator: 1n, denominator: 1_000n },
  perFeeMax: { numerator: 1n, denominator: 1n },
  ofReferees: { numerator: 1n, denominator: 10n },
};
