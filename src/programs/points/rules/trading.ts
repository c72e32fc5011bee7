import { scaleAmount } from '../../../domain/amount.ts';
import { pointsFromAmount } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

/** Trading: 1 point per USDT of fee. */
export const tradingRule: PointsRule = {
  type: 'trading',
  count: ({ feesPaid }, { perFee }) => pointsFromAmount(scaleAmount(feesPaid, perFee, 'down')),
};
