import { Type } from 'typebox';
import {
  changeEarnLevels,
  earnLevelMax,
  type PointsAdminPorts,
} from '../../../application/points/change-points-program.ts';
import { done, refused } from '../../../domain/outcome.ts';
import { administrator, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { integerMax } from '../points/points-schemas.ts';
import { nullable, strictObject } from '../schema.ts';
import { okSchema } from './admin-schemas.ts';

const levelNumber = Type.Integer({
  minimum: 0,
  maximum: earnLevelMax,
  description: 'The level, 0 to 5',
  examples: [1],
});
const whole = (description: string, example: number) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    examples: [example],
  });
const pointsMin = whole('Inclusive', 1000);
const pointsMax = nullable(whole('Inclusive; null for level 5', 9999));
const weight = Type.Integer({
  minimum: 0,
  maximum: integerMax,
  description: 'Earn subscription quota weight',
  examples: [8],
});

const levelRow = (level: number, from: number, to: number | null, quota: number) => ({
  level,
  points_min: from,
  points_max: to,
  weight: quota,
});
const exampleLevels = [
  levelRow(0, 0, 999, 4),
  levelRow(1, 1_000, 9_999, 8),
  levelRow(2, 10_000, 49_999, 12),
  levelRow(3, 50_000, 199_999, 25),
  levelRow(4, 200_000, 499_999, 60),
  levelRow(5, 500_000, null, 120),
];

/** Changes one level. */
export function changeEarnLevel(ports: PointsAdminPorts): Endpoint {
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/points/earn-level-config/:level',
    tag: 'Administration',
    summary: 'Change an earn level',
    description:
      'Sets the given fields and leaves the others unchanged. The rows must stay gapless, so ' +
      'a boundary between two levels can be moved only by setting all rows together.',
    weight: 0,
    auth: administrator,
    params: strictObject({ level: levelNumber }),
    body: strictObject({
      points_min: Type.Optional(pointsMin),
      points_max: Type.Optional(pointsMax),
      weight: Type.Optional(weight),
    }),
    answer: okSchema,
    handle: async ({ params, body }) => {
      if (Object.keys(body).length === 0) {
        const detail = 'weight: points_min, points_max or weight is required';
        return refused({ reason: 'parameter_invalid', detail });
      }
      const change = {
        level: params.level,
        pointsMin: body.points_min,
        pointsMax: body.points_max,
        weight: body.weight,
      };
      const changed = await changeEarnLevels(ports, [change]);
      return changed.kind === 'refused' ? changed : done({ ok: true });
    },
  });
}

/** Changes all levels at once. */
export function changeAllEarnLevels(ports: PointsAdminPorts): Endpoint {
  const rows = earnLevelMax + 1;
  return defineEndpoint({
    method: 'PUT',
    path: '/api/v1/admin/points/earn-level-config',
    tag: 'Administration',
    summary: 'Change all earn levels',
    description:
      'Replaces all six rows together, so that boundaries can move. The rows must be gapless.',
    weight: 0,
    auth: administrator,
    body: strictObject({
      levels: Type.Array(
        strictObject({
          level: levelNumber,
          points_min: pointsMin,
          points_max: pointsMax,
          weight,
        }),
        {
          minItems: rows,
          maxItems: rows,
          description: 'One row for each level',
          examples: [exampleLevels],
        },
      ),
    }),
    answer: okSchema,
    handle: async ({ body }) => {
      const changes = body.levels.map((row) => ({
        level: row.level,
        pointsMin: row.points_min,
        pointsMax: row.points_max,
        weight: row.weight,
      }));
      if (new Set(changes.map(({ level }) => level)).size < rows) {
        return refused({ reason: 'parameter_invalid', detail: 'levels: a level appears twice' });
      }
      const changed = await changeEarnLevels(ports, changes);
      return changed.kind === 'refused' ? changed : done({ ok: true });
    },
  });
}
