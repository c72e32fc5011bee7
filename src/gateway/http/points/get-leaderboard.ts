import { Type } from 'typebox';
import { loadEpochLeaderboard, rankTypes } from '../../../application/points/load-leaderboards.ts';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { epochNumber, pointsTag, tierText } from './points-schemas.ts';

const limitDefault = 100;
const limitMax = 1_000;
const offsetMax = 1_000_000_000;

const entrySchema = strictObject({
  rank: Type.Integer({ description: 'From 1, without ties', examples: [1] }),
  user_address: addressText('The account'),
  username: nullable(Type.String({ description: 'The username', examples: ['satoshi_1'] })),
  points: decimalText('Points of the ranking type in the epoch', '1520.25'),
  tier: tierText,
});

/** The leaderboard of an epoch. */
export function getLeaderboard(ports: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/leaderboard',
    tag: pointsTag,
    summary: 'Epoch leaderboard',
    description:
      'The ranking of an epoch, from a cache that is refreshed periodically. Ordered by ' +
      'points, then address.',
    auth: anyone,
    weight: 2,
    query: strictObject({
      epoch: Type.Optional(epochNumber('The epoch; absent: 1')),
      type_: Type.Optional(
        oneOf(rankTypes, { description: 'The points that the ranking uses', default: 'total' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitDefault,
          description: 'Maximum number of entries in the response',
          examples: [limitDefault],
        }),
      ),
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: offsetMax,
          default: 0,
          description: 'Number of ranks to skip',
          examples: [0],
        }),
      ),
    }),
    answer: strictObject({
      epoch_number: epochNumber('Epoch covered'),
      rank_type: oneOf(rankTypes, { description: 'Ranking type used' }),
      entries: Type.Array(entrySchema, { description: 'The ranking' }),
      total: Type.Integer({ description: 'Number of entries in this response', examples: [100] }),
      updated_at: timeText('Last refresh of the cache'),
    }),
    handle: async ({
      query: { epoch = 1, type_: type = 'total', limit = limitDefault, offset = 0 },
    }) => done(await loadEpochLeaderboard(ports, { epoch, type, limit, offset })),
  });
}
