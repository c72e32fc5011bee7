import type { DayFacts } from './day-facts.ts';
import { type Points, toPoints } from './points.ts';
import { defaultPointsRates, type PointsRates, type PointsRule } from './points-rule.ts';
import type { PointsByType, PointsType } from './points-types.ts';
import { holdingRule } from './rules/holding.ts';
import { pnlRule } from './rules/pnl.ts';
import { referralRule } from './rules/referral.ts';
import { stakingRule } from './rules/staking.ts';
import { tradingRule } from './rules/trading.ts';

/** Every rule, by the type that it earns. */
const pointsRules: Readonly<Record<PointsType, PointsRule>> = {
  trading: tradingRule,
  pnl: pnlRule,
  holding: holdingRule,
  referral: referralRule,
  staking: stakingRule,
};

/** The points of each type that an account earns in one UTC day. */
export function countPoints(
  facts: DayFacts,
  rates: PointsRates = defaultPointsRates,
): PointsByType {
  return {
    trading: pointsRules.trading.count(facts, rates),
    pnl: pointsRules.pnl.count(facts, rates),
    holding: pointsRules.holding.count(facts, rates),
    referral: pointsRules.referral.count(facts, rates),
    staking: pointsRules.staking.count(facts, rates),
  };
}

/** The difference of two counts of one day; negative if later losses reduced the profit. */
export function pointsBetween(earlier: PointsByType, later: PointsByType): PointsByType {
  return {
    trading: toPoints(later.trading - earlier.trading),
    pnl: toPoints(later.pnl - earlier.pnl),
    holding: toPoints(later.holding - earlier.holding),
    referral: toPoints(later.referral - earlier.referral),
    staking: toPoints(later.staking - earlier.staking),
  };
}

/** The sum over all types. */
export function totalPoints(points: PointsByType): Points {
  const { trading, pnl, holding, referral, staking } = points;
  return toPoints(trading + pnl + holding + referral + staking);
}
