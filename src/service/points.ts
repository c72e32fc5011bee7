import type { Exchange } from '../application/ports/exchange.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import { adminPointsRoutes } from '../gateway/http/admin/points-routes.ts';
import { pointsRoutes } from '../gateway/http/points/routes.ts';
import type { SurfaceRoutes } from '../gateway/http/surface-routes.ts';

/** The endpoints of the points program, and those of its administration. */
export function createPointsRoutes(
  exchange: Exchange,
  { points, barrier }: DatabaseServices,
): readonly SurfaceRoutes[] {
  const ports = {
    exchange,
    barrier,
    pointsReader: points.reader,
    pointsStore: points.store,
    now: () => Date.now() as TimestampMs,
  };
  return [pointsRoutes(ports), adminPointsRoutes(ports)];
}
