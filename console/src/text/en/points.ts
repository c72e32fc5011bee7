import type { Part } from '../part.ts';

// Texts of the page of points, by key.

export const rank = 'Rank';
export const account = 'Account';
export const you = 'you';
export const points = 'Points';
export const tier = 'Tier';
export const epoch = (number: Part, word: Part) => `Epoch ${number}, ${word}`;
export const leaderboard = 'Leaderboard';
export const nobodyHasPointsYetTrading = 'Nobody has points yet. Trading earns them.';
export const noRanks = 'No ranks';
export const ranksTo = (rank: Part, rank2: Part) => `Ranks ${rank} to ${rank2}`;
export const asOf = ', as of';
export const higher = 'Higher';
export const lower = 'Lower';
export const time = 'Time';
export const today = 'Today';
export const kindOfPoints = 'Kind of points';
export const level = 'Level';
export const fromWord = 'From';
export const to = 'To';
export const noEnd = 'no end';
export const weight = 'Weight';
export const yourPointsEpoch = (epoch: Part) => `Your points, epoch ${epoch}`;
export const rankTierEarnLevel = 'Rank, tier, earn level';
export const signInToSeeWhere = 'Sign in to see where you stand.';
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
export const sharesOfSeason = 'Shares of season ';
export const sharesOfSeasonWith = (season: Part) => `Shares of season ${season}`;
export const nobodyHadPointsInThis = 'Nobody had points in this season.';
export const seasons = 'Seasons';
export const thereIsNoSeasonYet = 'There is no season yet.';
export const kindNames = {
  total: 'Total',
  trading: 'Trading',
  pnl: 'PnL',
  holding: 'Holding',
  referral: 'Referral',
  staking: 'Staking',
} as const;
