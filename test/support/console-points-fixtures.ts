import { fixedAt as at, envelope, otherAddress as other, ownAddress } from './console-answers.ts';
import type { Answer } from './console-fake.ts';

// What the fake service returns about the points program.

export const pointsFixtures: Readonly<Record<string, Answer>> = {
  'GET /api/v1/points/leaderboard': envelope({
    epoch_number: 2,
    rank_type: 'total',
    total: 2,
    updated_at: at,
    entries: [
      { rank: 1, user_address: other, username: 'alice', points: '1204.5', tier: 'T1' },
      { rank: 2, user_address: ownAddress, username: null, points: '803.25', tier: 'T1' },
    ],
  }),
  'GET /api/v1/points/epochs': envelope({
    items: [
      {
        epoch_number: 2,
        starts_at: '2026-01-12T00:00:00.000Z',
        ends_at: '2026-01-19T00:00:00.000Z',
        status: 'active',
      },
      {
        epoch_number: 1,
        starts_at: '2026-01-05T00:00:00.000Z',
        ends_at: '2026-01-12T00:00:00.000Z',
        status: 'ended',
      },
    ],
    total: 2,
  }),
  'GET /api/v1/points/leaderboard/daily': envelope({
    date: '2026-01-14',
    epoch_number: 2,
    refreshed_at: at,
    total: 1,
    entries: [{ rank: 1, user_address: ownAddress, points_today: '12.5', tier: 'T1' }],
  }),
  'GET /api/v1/points/seasons': envelope([
    {
      season_id: '5f0d6c2e-8f39-4f6c-9d1c-0c1f5d3f2a11',
      season_no: 1,
      label: 'Season 1',
      start_epoch: 1,
      end_epoch: 12,
      user_pool_tokens: 1_000_000,
      mm_pool_tokens: 100_000,
      status: 'active',
      snapshot_at: null,
      snapshot_taken_at: null,
      distribution_at: null,
    },
  ]),
  'GET /api/v1/points/earn-level-config': envelope([
    { level: 0, points_min: 0, points_max: 999, weight: 4 },
    { level: 1, points_min: 1000, points_max: null, weight: 8 },
  ]),
  'GET /api/v1/points/me': envelope({
    epoch_number: 2,
    rank: 2,
    tier: 'T1',
    earn_level: 0,
    weight: 4,
    points: {
      total: '803.25',
      trading: '700',
      pnl: '80.25',
      holding: '20',
      referral: '3',
      staking: '0',
    },
    points_today: {
      total: '12.5',
      trading: '12.5',
      pnl: '0',
      holding: '0',
      referral: '0',
      staking: '0',
    },
  }),
};
