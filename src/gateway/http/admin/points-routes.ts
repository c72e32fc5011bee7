import type { PointsAdminPorts } from '../../../application/points/change-points-program.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { creditPointsEndpoint } from './credit-points.ts';
import { changeAllEarnLevels, changeEarnLevel } from './points-earn-levels.ts';
import { changePointsSeason, createPointsSeason } from './points-season.ts';

/** Admin endpoints for the points program. */
export function adminPointsRoutes(ports: PointsAdminPorts): SurfaceRoutes {
  return {
    surface: plainSurface,
    endpoints: [
      createPointsSeason(ports),
      changePointsSeason(ports),
      changeEarnLevel(ports),
      changeAllEarnLevels(ports),
      creditPointsEndpoint(ports),
    ],
  };
}
