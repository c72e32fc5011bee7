import { Type } from 'typebox';
import { loadDistribution } from '../../../application/points/load-distribution.ts';
import type { PointsReadPorts } from '../../../application/points/points-moment.ts';
import { done } from '../../../domain/outcome.ts';
import { pointsErrors } from '../../errors/points-errors.ts';
import { anyone, defineEndpoint, type Endpoint, namedError } from '../endpoint.ts';
import { pageQuery, readPage } from '../referral/referral-schemas.ts';
import { addressText, decimalText, oneOf, strictObject } from '../schema.ts';
import { pointsTag, seasonNumber, seasonSchema, seasonView } from './points-schemas.ts';

/** All seasons. */
export function listSeasons({ pointsReader }: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/seasons',
    tag: pointsTag,
    summary: 'List seasons',
    description: 'All seasons by number, in every status.',
    auth: anyone,
    weight: 1,
    answer: Type.Array(seasonSchema, { description: 'The seasons' }),
    handle: async () => done((await pointsReader.listSeasons()).map(seasonView)),
  });
}

const distributionRow = strictObject({
  rank: Type.Integer({
    description: 'Rank by points over the season, then address',
    examples: [1],
  }),
  user_address: addressText('The account'),
  pool: oneOf(['user', 'mm'], { description: 'The pool from which it receives a share' }),
  points: decimalText('Its points in the epochs of the season', '1520.25'),
  tokens: Type.Integer({ description: 'Whole tokens that it receives', examples: [42] }),
});

/** The distribution of a season's snapshot. */
export function getDistribution(ports: PointsReadPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/seasons/:season_no/distribution',
    tag: pointsTag,
    summary: "A season's distribution",
    description:
      'The shares in the pools of a completed season, by rank. Each pool is distributed ' +
      'exactly, in whole tokens by largest remainder. Empty until the snapshot is taken.',
    auth: anyone,
    weight: 2,
    namedRows: [pointsErrors.seasonNotFound],
    params: strictObject({ season_no: seasonNumber }),
    query: strictObject(pageQuery),
    answer: strictObject({
      items: Type.Array(distributionRow, { description: 'The page, by rank' }),
      total: Type.Integer({ description: 'Number of accounts that have a share', examples: [42] }),
      page: Type.Integer({ description: 'The requested page', examples: [1] }),
      page_size: Type.Integer({ description: 'As requested', examples: [20] }),
    }),
    handle: async ({ params, query }) => {
      const page = readPage(query);
      const shares = await loadDistribution(ports, params.season_no, page);
      if (shares === null) return namedError(pointsErrors.seasonNotFound);
      const { items, total } = shares;
      return done({ items, total, page: page.page, page_size: page.pageSize });
    },
  });
}
