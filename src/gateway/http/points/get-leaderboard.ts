import { Type } from 'typebox';
import { loadEpochLeaderboard, rankTypes } from '../../../application/points/load-leaderboards.ts';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';
import { epochNumber, pointsTag, tierText } from './points-schemas.ts';

const limitDefault = 100;
const limitMax = 1_000;

const entrySchema = strictObject({
  rank: Type.Integer({ description: 'From 1, without ties', examples: [1] }),
  user_address: addressText('The account'),
  username: nullable(Type.String({ description: 'The name it chose', examples: ['satoshi_1'] })),
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
      'The first ranks of an epoch, read from a cache that is refreshed periodically. Ordered by ' +
      'points, then address.',
    auth: anyone,
    weight: 2,
    query: strictObject({
      epoch: Type.Optional(epochNumber('The epoch; 1 where it is left out')),
      type_: Type.Optional(
        oneOf(rankTypes, { description: 'What is ranked by', default: 'total' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limitMax,
          default: limitDefault,
          description: 'The most entries of the answer',
          examples: [limitDefault],
        }),
      ),
    }),
    answer: strictObject({
      epoch_number: epochNumber('Epoch covered'),
      rank_type: oneOf(rankTypes, { description: 'Ranking type used' }),
      entries: Type.Array(entrySchema, { description: 'The ranking' }),
      total: Type.Integer({ description: 'How many entries this answer has', examples: [100] }),
      updated_at: timeText('Last refresh of the cache'),
    }),
    handle: async ({ query: { epoch = 1, type_: type = 'total', limit = limitDefault } }) =>
      done(await loadEpochLeaderboard(ports, { epoch, type, limit })),
  });
}
