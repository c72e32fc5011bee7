import type { Points } from './points.ts';

/** What points are earned with, each by a rule of its own (contract.md section 7). */
export const pointsTypes = ['trading', 'pnl', 'holding', 'referral', 'staking'] as const;
export type PointsType = (typeof pointsTypes)[number];

/** What a leaderboard ranks by: one type, or their sum. */
export const rankTypes = ['total', ...pointsTypes] as const;
export type RankType = (typeof rankTypes)[number];

export type PointsByType = Readonly<Record<PointsType, Points>>;
