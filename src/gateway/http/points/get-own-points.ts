import { Type } from 'typebox';
import { loadOwnPoints, type OwnPointsPorts } from '../../../application/points/load-own-points.ts';
import { done } from '../../../domain/outcome.ts';
import { defineEndpoint, type Endpoint, tokenOnly } from '../endpoint.ts';
import { decimalText, nullable, strictObject } from '../schema.ts';
import { epochNumber, pointsTag, tierText } from './points-schemas.ts';

const byType = (description: string) =>
  strictObject(
    {
      total: decimalText('The sum of the types', '1520.25'),
      trading: decimalText('For fees', '1500'),
      pnl: decimalText('For realized profit', '20.25'),
      holding: decimalText('For open positions', '0'),
      referral: decimalText("For the referees' trading", '0'),
      staking: decimalText('Credited for staking', '0'),
    },
    { description },
  );

/** The caller's points. */
export function getOwnPoints(ports: OwnPointsPorts): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/api/v1/points/me',
    tag: pointsTag,
    summary: "The caller's points",
    description:
      'Points of the active epoch by type, as of now; rank and tier as of the last refresh of ' +
      'the leaderboard, null while unranked. The earn level is that of the total.',
    auth: tokenOnly,
    weight: 2,
    answer: strictObject({
      epoch_number: epochNumber('The active epoch'),
      points: byType('Points of the epoch by type'),
      points_today: byType('The part of them from the current UTC day, by type'),
      rank: nullable(Type.Integer({ description: 'By total points in the epoch', examples: [7] })),
      tier: nullable(tierText),
      earn_level: Type.Integer({ description: '0 to 5', examples: [1] }),
      weight: Type.Integer({ description: 'The weight of the level', examples: [8] }),
    }),
    handle: async ({ caller }) => done(await loadOwnPoints(ports, caller.address)),
  });
}
