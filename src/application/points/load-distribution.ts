import { formatPoints } from '../../programs/points/points.ts';
import type { Page } from '../referral/referral-ports.ts';
import type { PointsReadPorts } from './points-moment.ts';
import type { DistributionPage } from './points-ports.ts';

type DistributionRow = DistributionPage['items'][number];

/** What a season gives to an account; points as decimal text, tokens whole. */
export interface ShareView extends Pick<DistributionRow, 'rank' | 'pool' | 'tokens'> {
  readonly user_address: string;
  readonly points: string;
}

/**
 * A page of a season's distribution, by rank; null if there is no such season.
 * @throws DatabaseError
 */
export async function loadDistribution(
  { pointsReader }: PointsReadPorts,
  seasonNo: number,
  { page, pageSize }: Page,
): Promise<{ readonly items: readonly ShareView[]; readonly total: number } | null> {
  if ((await pointsReader.findSeason(seasonNo)) === null) return null;
  const offset = (page - 1) * pageSize;
  const { items, total } = await pointsReader.listDistribution(seasonNo, offset, pageSize);
  return { items: items.map(viewShare), total };
}

function viewShare({ rank, address, pool, points, tokens }: DistributionRow): ShareView {
  return { rank, user_address: address, pool, points: formatPoints(points), tokens };
}
