import { type Ratio, scaleAmount } from '../../../domain/amount.ts';
import { pointsFromAmount } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

/** Referral: 10 % of the direct referees' trading points, rounded once on their sum. */
export const referralRule: PointsRule = {
  type: 'referral',
  count: ({ refereeFees }, { perFee, ofReferees }) =>
    pointsFromAmount(scaleAmount(refereeFees, product(perFee, ofReferees), 'down')),
};

function product(left: Ratio, right: Ratio): Ratio {
  return {
    numerator: left.numerator * right.numerator,
    denominator: left.denominator * right.denominator,
  };
}
