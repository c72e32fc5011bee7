import { Type } from 'typebox';
import type { Season } from '../../../application/points/points-ports.ts';
import { nullable, oneOf, strictObject, timeText } from '../schema.ts';

// Shared by the endpoints of the points program.

export const pointsTag = 'Points';

/** The largest value of an integer column. */
export const integerMax = 2_147_483_647;
/** Tokens of a pool are counted exactly up to this number. */
const tokensMax = Number.MAX_SAFE_INTEGER;

export const epochNumber = (description: string) =>
  Type.Integer({ minimum: 1, maximum: integerMax, description, examples: [1] });

export const tierText = oneOf(['T1', 'T2', 'T3'], {
  description: 'T1: ranks 1 to 10 of the epoch, T2: to 100, T3: below',
});

export const seasonNumber = Type.Integer({
  minimum: 1,
  maximum: integerMax,
  description: 'The number of the season',
  examples: [1],
});

const tokens = (description: string) =>
  Type.Integer({ minimum: 0, maximum: tokensMax, description, examples: [1_000_000] });

export const seasonInputFields = {
  label: Type.String({
    pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]{1,100}$',
    description: 'Human-readable label',
    examples: ['Season 1'],
  }),
  start_epoch: epochNumber('First epoch of the season'),
  end_epoch: epochNumber('Last epoch of the season'),
  user_pool_tokens: tokens('Token pool for regular users'),
  mm_pool_tokens: tokens('Token pool for market makers'),
};

export const seasonSchema = strictObject(
  {
    season_id: Type.String({
      description: 'Season UUID',
      examples: ['5f0d6c2e-8f39-4f6c-9d1c-0c1f5d3f2a11'],
    }),
    season_no: seasonNumber,
    ...seasonInputFields,
    status: oneOf(['pending', 'active', 'completed'], { description: 'The status of the season' }),
    snapshot_at: nullable(timeText('Scheduled snapshot time; null: when the last epoch ends')),
    snapshot_taken_at: nullable(timeText('Actual snapshot time')),
    distribution_at: nullable(timeText('Scheduled distribution time')),
  },
  { title: 'Season' },
);

export function seasonView(season: Season) {
  return {
    season_id: season.seasonId,
    season_no: season.seasonNo,
    label: season.label,
    start_epoch: season.startEpoch,
    end_epoch: season.endEpoch,
    user_pool_tokens: season.userPoolTokens,
    mm_pool_tokens: season.marketMakerPoolTokens,
    status: season.status,
    snapshot_at: timeView(season.snapshotAt),
    snapshot_taken_at: timeView(season.snapshotTakenAt),
    distribution_at: timeView(season.distributionAt),
  };
}

function timeView(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
