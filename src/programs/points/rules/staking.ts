import { zeroPoints } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

/** Staking: no activity on the exchange earns these points; an administrator credits them. */
export const stakingRule: PointsRule = { type: 'staking', count: () => zeroPoints };
