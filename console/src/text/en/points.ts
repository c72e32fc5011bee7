import type { Part } from '../part.ts';

// Texts of the page of points, by key.

export const rank = 'Rank';
export const account = 'Account';
export const you = 'you';
export const points = 'Points';
export const tier = 'Tier';
export const epoch = (number: Part, state: Part) => `Epoch ${number}, ${state}`;
export const leaderboard = 'Leaderboard';
export const nobodyHasPointsYet = 'Nobody has points yet. Trading earns them.';
export const noRanks = 'No ranks';
export const ranksRange = (first: Part, last: Part) => `Ranks ${first} to ${last}`;
export const asOf = (time: Part) => `, as of ${time}`;
export const higher = 'Higher';
export const lower = 'Lower';
export const time = 'Time';
export const today = 'Today';
export const kindOfPoints = 'Kind of points';
export const level = 'Level';
export const from = 'From';
export const to = 'To';
export const noEnd = 'no limit';
export const weight = 'Weight';
export const yourPointsEpoch = (epoch: Part) => `Your points, epoch ${epoch}`;
export const rankTierEarnLevel = 'Rank, tier, earn level';
export const signInToSeeRank = 'Sign in to see where you stand.';
export const notRankedYet = 'not ranked yet';
export const noTier = 'no tier';
export const earnLevels = 'Earn levels';
export const noLevels = 'No levels.';
export const epochs = 'Epochs';
export const pool = 'Pool';
export const makersPool = 'Makers’ pool';
export const state = 'State';
export const season = 'Season';
export const snapshot = 'Snapshot';
export const shares = 'Shares';
export const show = 'Show';
export const tokens = 'Tokens';
export const sharesOfSeason = (season: Part) => `Shares of season ${season}`;
export const nobodyHadPoints = 'Nobody had points in this season.';
export const seasons = 'Seasons';
export const noSeasonYet = 'There is no season yet.';
export const kindNames = {
  total: 'Total',
  trading: 'Trading',
  pnl: 'PnL',
  holding: 'Holding',
  referral: 'Referral',
  staking: 'Staking',
} as const;
