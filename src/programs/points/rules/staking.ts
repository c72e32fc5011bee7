import { zeroPoints } from '../points.ts';
import type { PointsRule } from '../points-rule.ts';

/** Staking: nothing that an account does here earns it; an administrator credits it. */
export const stakingRule: PointsRule = { type: 'staking', count: () => zeroPoints };
