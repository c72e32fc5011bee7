import { toPoints } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

const hourMs = 3_600_000n;
// valueHeld counts 10^-26 USDT, points count 10^-8.
const heldUnits = 10n ** 18n;

/** Holding: 1 point per 1,000 USDT of average open position value per hour. */
export const holdingRule: PointsRule = {
  type: 'holding',
  count: ({ valueHeld }, { perValueHour: { numerator, denominator } }) =>
    toPoints((valueHeld * numerator) / (heldUnits * hourMs * denominator)),
};
