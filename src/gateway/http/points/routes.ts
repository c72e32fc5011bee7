import type { OwnPointsPorts } from '../../../application/points/load-own-points.ts';
import { envelopeSurface } from '../../errors/envelope-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { getDailyLeaderboard } from './get-daily-leaderboard.ts';
import { getLeaderboard } from './get-leaderboard.ts';
import { getOwnPoints } from './get-own-points.ts';
import { listEarnLevels } from './list-earn-levels.ts';
import { listEpochsEndpoint } from './list-epochs.ts';
import { getDistribution, listSeasons } from './list-seasons.ts';

/** Public endpoints of the points program. */
export function pointsRoutes(ports: OwnPointsPorts): SurfaceRoutes {
  return {
    surface: envelopeSurface,
    endpoints: [
      getLeaderboard(ports),
      getDailyLeaderboard(ports),
      listEpochsEndpoint(ports),
      listSeasons(ports),
      listEarnLevels(ports),
      getOwnPoints(ports),
      getDistribution(ports),
    ],
  };
}
