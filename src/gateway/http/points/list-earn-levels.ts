import { Type } from 'typebox';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { nullable, strictObject, timeText } from '../schema.ts';
import { pointsTag } from './points-schemas.ts';

const rowSchema = strictObject({
  level: Type.Integer({ description: '0 to 5', examples: [1] }),
  points_min: Type.Integer({ description: 'Inclusive', examples: [1000] }),
  points_max: nullable(
    Type.Integer({ description: 'Inclusive; null for level 5', examples: [9999] }),
  ),
  weight: Type.Integer({ description: 'Earn subscription quota weight', examples: [8] }),
  updated_at: timeText('Last change'),
  updated_by: nullable(
    Type.String({
      description: 'Who changed it; null if never edited',
      examples: ['admin_api_key'],
    }),
  ),
});

/** The subscription quotas that points are worth. */
export function listEarnLevels({ pointsReader }: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/earn-level-config',
    tag: pointsTag,
    summary: 'Earn-level configuration',
    description: 'The rows by level; together they cover every number of points from 0.',
    auth: anyone,
    weight: 1,
    answer: Type.Array(rowSchema, { description: 'The six levels' }),
    handle: async () => {
      const levels = await pointsReader.listEarnLevels();
      return done(
        levels.map(({ level, pointsMin, pointsMax, weight, updatedAt, updatedBy }) => ({
          level,
          points_min: pointsMin,
          points_max: pointsMax,
          weight,
          updated_at: new Date(updatedAt).toISOString(),
          updated_by: updatedBy,
        })),
      );
    },
  });
}
