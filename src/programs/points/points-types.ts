import type { Points } from './points.ts';

export const pointsTypes = ['trading', 'pnl', 'holding', 'referral', 'staking'] as const;
/** An activity that earns points, each by its own rule (contract.md section 7). */
export type PointsType = (typeof pointsTypes)[number];

export const rankTypes = ['total', ...pointsTypes] as const;
/** What a leaderboard ranks by: one type, or the sum of all. */
export type RankType = (typeof rankTypes)[number];

/** Points of each type. */
export type PointsByType = Readonly<Record<PointsType, Points>>;
