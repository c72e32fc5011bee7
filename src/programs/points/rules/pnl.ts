import { scaleAmount } from '../../../domain/amount.ts';
import { pointsFromAmount, zeroPoints } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

/**
 * Profit: 1 point per 10 USDT of positive realized profit in a UTC day. The day's losses are
 * subtracted from its profits, so splitting a position into many trades earns nothing extra.
 */
export const pnlRule: PointsRule = {
  type: 'pnl',
  count: ({ realizedProfit }, { perProfit }) =>
    realizedProfit > 0n
      ? pointsFromAmount(scaleAmount(realizedProfit, perProfit, 'down'))
      : zeroPoints,
};
