/** A part of an epoch's leaderboard; T1 has the best ranks. */
export type EpochTier = 'T1' | 'T2' | 'T3';

const firstTierRankMax = 10;
export const secondTierRankMax = 100;

/**
 * The tier of a rank, counted from 1: T1 up to rank 10, T2 up to 100, T3 below (contract.md section
 * 7).
 */
export function epochTier(rank: number): EpochTier {
  if (rank <= firstTierRankMax) return 'T1';
  return rank <= secondTierRankMax ? 'T2' : 'T3';
}
