import type { Ratio } from '../../domain/amount.ts';
import type { DayFacts } from './day-facts.ts';
import type { Points } from './points.ts';
import type { PointsType } from './points-types.ts';

/** What the rules pay; the ratios are points for one unit of what they count. */
export interface PointsRates {
  /** For one USDT of fee. */
  readonly perFee: Ratio;
  /** For one USDT of realized profit. */
  readonly perProfit: Ratio;
  /** For one USDT of position value held for an hour. */
  readonly perValueHour: Ratio;
  /** Of the trading points of the referees. */
  readonly ofReferees: Ratio;
}

/** A rule turns an account's day into points of one type; a day's points are counted as a whole. */
export interface PointsRule {
  readonly type: PointsType;
  readonly count: (facts: DayFacts, rates: PointsRates) => Points;
}

/** The rates of contract.md section 7. */
export const defaultPointsRates: PointsRates = {
  perFee: { numerator: 1n, denominator: 1n },
  perProfit: { numerator: 1n, denominator: 10n },
  perValueHour: { numerator: 1n, denominator: 1_000n },
  ofReferees: { numerator: 1n, denominator: 10n },
};
