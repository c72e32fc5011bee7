import { Type } from 'typebox';
import { loadDailyLeaderboard } from '../../../application/points/load-leaderboards.ts';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { anyone, defineEndpoint, type Endpoint } from '../endpoint.ts';
import { addressText, decimalText, nullable, strictObject } from '../schema.ts';
import { epochNumber, integerMax, pointsTag, tierText } from './points-schemas.ts';

const limitDefault = 10;
const limitMax = 50;

const entrySchema = strictObject({
  rank: Type.Integer({ description: 'Rank for today', examples: [1] }),
  user_address: addressText('The account'),
  points_today: decimalText('Points earned since UTC 00:00', '12.5'),
  tier: nullable(tierText),
});

/** Today's leaderboard. */
export function getDailyLeaderboard(ports: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/leaderboard/daily',
    tag: pointsTag,
    summary: 'Daily leaderboard',
    description:
      "Today's increment since UTC 00:00, read from a cache that is refreshed every 5 minutes. " +
      'Empty before the first refresh of the day. ?limit=50&offset=50 is page 2 of size 50.',
    auth: anyone,
    weight: 2,
    query: strictObject({
      epoch: Type.Optional(epochNumber('The epoch; absent: the active one')),
      limit: Type.Optional(
        Type.Integer({
          default: limitDefault,
          description: `Maximum number of entries in the response; clamped to 1-${limitMax}`,
          examples: [limitDefault],
        }),
      ),
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: integerMax - limitMax,
          default: 0,
          description: 'Number of ranks to skip',
          examples: [0],
        }),
      ),
    }),
    answer: strictObject({
      date: Type.String({ description: 'UTC date', examples: ['2026-01-05'] }),
      epoch_number: epochNumber('Epoch of the data'),
      refreshed_at: Type.String({
        description: 'Last refresh of the cache, to the minute',
        examples: ['2026-01-05T10:35:00Z'],
      }),
      total: Type.Integer({
        description: 'All users with points today, regardless of the limit',
        examples: [4200],
      }),
      entries: Type.Array(entrySchema, { description: 'The page' }),
    }),
    handle: async ({ query: { epoch = null, limit = limitDefault, offset = 0 } }) =>
      done(
        await loadDailyLeaderboard(ports, {
          epoch,
          limit: Math.min(limitMax, Math.max(1, limit)),
          offset,
        }),
      ),
  });
}
