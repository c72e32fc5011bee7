import { type Static, Type } from 'typebox';
import {
  changeSeason,
  createSeason,
  type EpochNumber,
  type PointsAdminPorts,
  type SeasonChange,
} from '../../../application/points/change-points-program.ts';
import type { TimestampMs } from '../../../domain/identifiers.ts';
import { done, type Outcome } from '../../../domain/outcome.ts';
import { pointsErrors } from '../../errors/points-errors.ts';
import { administrator, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import {
  seasonInputFields,
  seasonNumber,
  seasonSchema,
  seasonView,
} from '../points/points-schemas.ts';
import { invalid } from '../read-decimal.ts';
import { readTime } from '../read-time.ts';
import { nullable, strictObject } from '../schema.ts';

const scheduled = (description: string) =>
  Type.Optional(
    nullable(
      Type.String({
        description: `${description}, ISO 8601 in UTC`,
        examples: ['2026-02-02T00:00:00Z'],
      }),
    ),
  );

const schedule = {
  snapshot_at: scheduled('When the snapshot is taken; null: when the last epoch ends'),
  distribution_at: scheduled('When the tokens are to be distributed'),
};

const changeFields = {
  label: Type.Optional(seasonInputFields.label),
  start_epoch: Type.Optional(seasonInputFields.start_epoch),
  end_epoch: Type.Optional(seasonInputFields.end_epoch),
  user_pool_tokens: Type.Optional(seasonInputFields.user_pool_tokens),
  mm_pool_tokens: Type.Optional(seasonInputFields.mm_pool_tokens),
  ...schedule,
};
const changeBody = strictObject(changeFields);

/** Creates a season. */
export function createPointsSeason(ports: PointsAdminPorts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/api/v1/admin/points/seasons',
    tag: 'Administration',
    summary: 'Create a points season',
    description:
      'Pending until its first epoch starts, then active, completed once its snapshot is taken.',
    weight: 0,
    auth: administrator,
    namedRows: [pointsErrors.seasonExists],
    body: strictObject({ season_no: seasonNumber, ...seasonInputFields, ...schedule }),
    answer: seasonSchema,
    handle: async ({ body }) => {
      if (body.start_epoch > body.end_epoch) {
        return invalid('end_epoch: must not be before start_epoch');
      }
      const change = readChange(body);
      if (change.kind === 'refused') return change;
      const { snapshotAt = null, distributionAt = null } = change.value;
      const created = await createSeason(ports, body.season_no, {
        label: body.label,
        startEpoch: body.start_epoch as EpochNumber,
        endEpoch: body.end_epoch as EpochNumber,
        userPoolTokens: body.user_pool_tokens,
        marketMakerPoolTokens: body.mm_pool_tokens,
        snapshotAt,
        distributionAt,
      });
      return created === 'exists'
        ? namedError(pointsErrors.seasonExists)
        : done(seasonView(created));
    },
  });
}

/** Changes a season before its snapshot is taken. */
export function changePointsSeason(ports: PointsAdminPorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/points/seasons/:season_no',
    tag: 'Administration',
    summary: 'Change a points season',
    description:
      'Sets the given fields and leaves the others unchanged. The first epoch of an active ' +
      'season is fixed; a completed season cannot change.',
    weight: 0,
    auth: administrator,
    namedRows: [pointsErrors.seasonNotFound, pointsErrors.seasonCompleted],
    params: strictObject({ season_no: seasonNumber }),
    body: changeBody,
    answer: seasonSchema,
    handle: async ({ params, body }) => {
      const change = readChange(body);
      if (change.kind === 'refused') return change;
      const changed = await changeSeason(ports, params.season_no, change.value);
      if (changed === 'not_found') return namedError(pointsErrors.seasonNotFound);
      if (changed === 'completed') return namedError(pointsErrors.seasonCompleted);
      return 'fault' in changed ? invalid(changed.fault) : done(seasonView(changed));
    },
  });
}

function readChange(body: Static<typeof changeBody>): Outcome<SeasonChange> {
  const snapshotAt = readMoment('snapshot_at', body.snapshot_at);
  if (snapshotAt.kind === 'refused') return snapshotAt;
  const distributionAt = readMoment('distribution_at', body.distribution_at);
  if (distributionAt.kind === 'refused') return distributionAt;
  return done({
    label: body.label,
    startEpoch: body.start_epoch as EpochNumber | undefined,
    endEpoch: body.end_epoch as EpochNumber | undefined,
    userPoolTokens: body.user_pool_tokens,
    marketMakerPoolTokens: body.mm_pool_tokens,
    snapshotAt: snapshotAt.value,
    distributionAt: distributionAt.value,
  });
}

/** Null removes a time, an absent field leaves it unchanged. */
function readMoment(
  field: string,
  text: string | null | undefined,
): Outcome<TimestampMs | null | undefined> {
  if (text === undefined || text === null) return done(text);
  const time = readTime(field, text);
  return time.kind === 'refused' ? time : done(time.value as TimestampMs);
}
